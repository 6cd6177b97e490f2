// A backend that holds the key: POST /jobs?prompt=… submits once and answers the job's id, GET /jobs/ID answers its states as
// Server-Sent Events. A page that loses the stream asks for it again by itself, which submits nothing.
import { outputFiles, toAsyncIterable, toPromise, type JobState } from 'promptwire';
import { textToImageWorkflow } from 'promptwire/emulator';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from './service.js';

const { client, close } = await connect();

/** What a visitor may see: no node errors, no traceback. */
const event = ({ phase, progress, outputs }: JobState): string =>
  `event: state\ndata: ${JSON.stringify({ phase, progress, files: outputFiles(outputs).length })}\n\n`;

const submit = async (prompt: string, response: ServerResponse): Promise<void> => {
  const { promptId } = await toPromise(client.submit(textToImageWorkflow({ prompt, steps: 6 })));
  response.writeHead(201, { 'content-type': 'application/json', location: `/jobs/${promptId}` });
  response.end(JSON.stringify({ id: promptId }));
};

const watch = async (promptId: string, response: ServerResponse): Promise<void> => {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  // A slow visitor gets the newest state, never a growing queue; one who leaves ends the watching, not the job.
  const states = toAsyncIterable(client.follow(promptId), { overflow: 'latest', signal: gone.signal });
  for await (const state of states) {
    if (!response.write(event(state))) await once(response, 'drain', { signal: gone.signal });
  }
  response.end();
};

const answer = async ({ method, url = '/' }: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const [, promptId] = /^\/jobs\/([\w-]+)$/u.exec(pathname) ?? [];
  if (method === 'POST' && pathname === '/jobs')
    await submit(searchParams.get('prompt') ?? 'a lighthouse', response);
  else if (method === 'GET' && promptId !== undefined) await watch(promptId, response);
  else response.writeHead(404).end();
};

const server = createServer((request, response) => {
  answer(request, response).catch((problem: unknown) => {
    if (!response.headersSent) response.writeHead(502);
    response.end(`event: problem\ndata: ${JSON.stringify(problem)}\n\n`);
  });
});
await new Promise<void>((resolve) => server.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
console.log(`listening on http://127.0.0.1:${port}`);

// One visitor, so that this program shows something and ends; `PORT=8080` keeps it serving.
if (process.env['PORT'] === undefined) {
  const submitted = await fetch(`http://127.0.0.1:${port}/jobs?prompt=a%20city%20at%20night`, {
    method: 'POST',
  });
  const { id } = (await submitted.json()) as { readonly id: string };
  const visit = await fetch(`http://127.0.0.1:${port}/jobs/${id}`);
  console.log(await visit.text());
  server.close();
  await close();
}
