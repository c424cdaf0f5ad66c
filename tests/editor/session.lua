-- A person's session in Neovim: each step fails the run if the editor shows something else.
-- Run by .ci/parts/editor with the working folder of a copy of tests/editor/project.

local step = 0
local function check(name, condition, shown)
  step = step + 1
  if not condition then
    io.stdout:write(('not ok %d %s: %s\n'):format(step, name, vim.inspect(shown)))
    vim.cmd('cquit 1')
  end
  io.stdout:write(('ok %d %s\n'):format(step, name))
end

local function wait(condition)
  return vim.wait(10000, condition, 20)
end

vim.o.hidden = true
vim.o.swapfile = false
local function open(path)
  vim.cmd('edit ' .. path)
  vim.bo.filetype = 'markdown'
  local client = vim.lsp.start_client({
    name = 'skills',
    cmd = { os.getenv('SKILLS'), 'lsp' },
    root_dir = vim.fn.getcwd(),
    workspace_folders = { { uri = vim.uri_from_fname(vim.fn.getcwd()), name = 'project' } },
  })
  vim.lsp.buf_attach_client(0, client)
  assert(wait(function() return #vim.lsp.buf_get_clients(0) > 0 end), 'no client')
end

local function rules()
  local found = {}
  for _, it in ipairs(vim.diagnostic.get(0)) do table.insert(found, it.code) end
  table.sort(found)
  return found
end
local function has(rule) return function() return vim.tbl_contains(rules(), rule) end end
local function gone(rule) return function() return not vim.tbl_contains(rules(), rule) end end

local function ask(method, line, character, more)
  local params = vim.tbl_extend('force', {
    textDocument = vim.lsp.util.make_text_document_params(),
    position = { line = line, character = character },
  }, more or {})
  local answers = vim.lsp.buf_request_sync(0, method, params, 10000)
  for _, answer in pairs(answers or {}) do
    if answer.error then return nil, answer.error.message end
    return answer.result
  end
end
local function actions(line, only)
  local place = { line = line, character = 0 }
  return ask('textDocument/codeAction', line, 0, {
    range = { start = place, ['end'] = { line = line, character = 999 } },
    context = { diagnostics = {}, only = only },
  })
end
local function titled(all, start)
  for _, it in ipairs(all or {}) do
    if vim.startswith(it.title, start) then return it end
  end
end
local function apply(edit)
  vim.lsp.util.apply_workspace_edit(edit, 'utf-16')
end
local function lines(from, to) return vim.api.nvim_buf_get_lines(0, from, to, false) end
local function labels(result)
  local found = {}
  for _, it in ipairs(result.items or result) do found[it.label] = true end
  return found
end
local function type_line(number, text)
  vim.api.nvim_buf_set_lines(0, number, number + 1, false, { text })
end

open('skills/greet/SKILL.md')
check('a diagnostic is shown', wait(has('description-missing')), rules())

local guess = titled(actions(2, { 'quickfix' }), 'Fix, a guess')
apply(guess and guess.edit or {})
check('a fix is applied', wait(gone('description-missing')) and vim.startswith(lines(2, 3)[1], 'description:'), lines(0, -1))

local all = titled(actions(0, { 'source.fixAll' }), 'Fix everything')
apply(all and all.edit or {})
check('everything is fixed', wait(gone('text-form')) and lines(3, 4)[1] == 'license: MIT', lines(0, -1))

vim.api.nvim_buf_set_lines(0, 3, 3, false, { 'allowed-' })
check('a key is completed', labels(ask('textDocument/completion', 3, 8))['allowed-tools'], ask('textDocument/completion', 3, 8))
type_line(3, 'allowed-tools: Ba')
check('a value is completed', labels(ask('textDocument/completion', 3, 17))['Bash'], lines(0, -1))
type_line(3, 'allowed-tools: Bash')

vim.api.nvim_buf_set_lines(0, -1, -1, false, { '', 'Then $w' })
local last = vim.api.nvim_buf_line_count(0) - 1
check('a mention is completed', labels(ask('textDocument/completion', last, 7))['$wave'], lines(0, -1))
type_line(last, 'Then [run](scr')
check('a link is completed', labels(ask('textDocument/completion', last, 14))['scripts/run.sh'], lines(0, -1))
type_line(last, 'Then $wave, see [it](no.md).')

local hover = ask('textDocument/hover', last, 8)
check('hover explains a skill', hover and hover.contents.value:find('Waves') ~= nil, hover)

local place = ask('textDocument/definition', last, 8)
check('a definition is found', place and vim.endswith(place.uri, '/skills/wave/SKILL.md'), place)

local found = ask('textDocument/references', last, 8, { context = { includeDeclaration = true } })
check('references are found', found and #found == 1 and found[1].range.start.line == last, found)

check('a new finding is shown', wait(has('link-broken')), rules())
local here = titled(actions(last, { 'quickfix' }), 'Allow `link-broken` here')
apply(here and here.edit or {})
check('a finding is suppressed', wait(gone('link-broken')), rules())

local renamed, reason = ask('textDocument/rename', 1, 8, { newName = 'welcome' })
local folder = {}
for index, it in ipairs(renamed and renamed.documentChanges or {}) do
  -- Neovim 0.7 writes the folder as if it was a file.
  if it.kind == 'rename' and vim.fn.has('nvim-0.10') == 0 then folder = table.remove(renamed.documentChanges, index) end
end
apply(renamed or {})
vim.cmd('silent wall')
if folder.oldUri then
  vim.fn.rename(vim.uri_to_fname(folder.oldUri), vim.uri_to_fname(folder.newUri))
end
local text = vim.fn.filereadable('skills/welcome/SKILL.md') == 1 and vim.fn.readfile('skills/welcome/SKILL.md') or {}
check('a skill is renamed', text[2] == 'name: welcome' and vim.fn.isdirectory('skills/greet') == 0, reason or text)
vim.cmd('qall!')
