// A stand-in for the models of OpenAI, Anthropic and Google: it records the body of each request in a folder and
// answers a short text, streamed if asked.
//
// node standin.mjs FOLDER: prints its port, and ends when its standard input ends.
import { createServer } from 'node:http';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2];
const text = 'Done.';
let count = 0;

const event = (data, name) => `${name ? `event: ${name}\n` : ''}data: ${JSON.stringify(data)}\n\n`;

function openaiResponses(body) {
  const item = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text, annotations: [] }] };
  const response = { id: 'resp_1', object: 'response', created_at: 1, model: body.model, status: 'completed', output: [item],
    usage: { input_tokens: 1, input_tokens_details: { cached_tokens: 0 }, output_tokens: 1, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 2 } };
  if (!body.stream) return JSON.stringify(response);
  const part = { item_id: 'msg_1', output_index: 0, content_index: 0 };
  return [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress', content: [] } },
    { type: 'response.output_text.delta', ...part, delta: text },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response },
  ].map((data, sequence_number) => event({ ...data, sequence_number }, data.type)).join('');
}

function openaiChat(body) {
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const base = { id: 'chat_1', created: 1, model: body.model };
  if (!body.stream) {
    const choice = { index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' };
    return JSON.stringify({ ...base, object: 'chat.completion', choices: [choice], usage });
  }
  const chunk = (delta, finish_reason) => ({ ...base, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] });
  return event(chunk({ role: 'assistant', content: text }, null)) + event({ ...chunk({}, 'stop'), usage }) + 'data: [DONE]\n\n';
}

function anthropic(body) {
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: body.model, stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } };
  if (!body.stream) return JSON.stringify({ ...message, content: [{ type: 'text', text }], stop_reason: 'end_turn' });
  return [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 1 } },
    { type: 'message_stop' },
  ].map((data) => event(data, data.type)).join('');
}

function google(streams) {
  const answer = { candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 } };
  return streams ? event(answer) : JSON.stringify(answer);
}

function answer(path, body) {
  if (path.endsWith('/responses')) return openaiResponses(body);
  if (path.endsWith('/chat/completions')) return openaiChat(body);
  if (path.endsWith('/messages')) return anthropic(body);
  if (path.endsWith('count_tokens')) return JSON.stringify({ input_tokens: 1 });
  if (path.endsWith(':countTokens')) return JSON.stringify({ totalTokens: 1 });
  if (path.endsWith(':generateContent')) return google(false);
  if (path.endsWith(':streamGenerateContent')) return google(true);
}

const server = createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const bytes = Buffer.concat(parts);
    const path = new URL(request.url, 'http://loopback').pathname;
    const number = String((count += 1)).padStart(3, '0');
    if (process.env.STANDIN_LOG) console.error(number, request.method, request.url, bytes.length);
    let body;
    try { body = JSON.parse(bytes); } catch { body = undefined; }
    const text = request.method === 'POST' && body ? answer(path, body) : undefined;
    if (text === undefined) return response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"not here"}}');
    writeFileSync(join(folder, `${number}.json`), JSON.stringify({ path, body }, null, 1));
    const type = text.startsWith('{') ? 'application/json' : 'text/event-stream';
    response.writeHead(200, { 'content-type': type }).end(text);
  });
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
process.stdin.resume().on('end', () => process.exit(0));
