"""A server of the skills of a folder, by FastMCP: fastmcp_server.py FOLDER [PORT]. With a port over HTTP."""

import sys

from fastmcp import FastMCP
from fastmcp.skills.provider import SkillsDirectoryProvider

server = FastMCP("skills")
server.add_provider(SkillsDirectoryProvider(sys.argv[1]))
if len(sys.argv) > 2:
    server.run(transport="http", host="127.0.0.1", port=int(sys.argv[2]), path="/mcp", show_banner=False)
else:
    server.run(show_banner=False)
