// A backend that holds the key: POST /jobs?prompt=… answers the job's states as Server-Sent Events.
import { outputFiles, toAsyncIterable, type JobState } from 'promptwire';
import { textToImageWorkflow } from 'promptwire/emulator';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from './service.js';

const { client, close } = await connect();

/** What a visitor may see: no node errors, no traceback. */
const event = ({ phase, progress, outputs }: JobState): string =>
  `event: state\ndata: ${JSON.stringify({ phase, progress, files: outputFiles(outputs).length })}\n\n`;

const relay = async (prompt: string, response: ServerResponse): Promise<void> => {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  // A slow visitor gets the newest state, never a growing queue; one who leaves ends the watching, not the job.
  const states = toAsyncIterable(client.run(textToImageWorkflow({ prompt, steps: 6 })), {
    overflow: 'latest',
    signal: gone.signal,
  });
  for await (const state of states) {
    if (!response.write(event(state))) await new Promise((resolve) => response.once('drain', resolve));
  }
  response.end();
};

const server = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? '/', 'http://localhost');
  relay(searchParams.get('prompt') ?? 'a lighthouse', response).catch((problem: unknown) => {
    response.end(`event: problem\ndata: ${JSON.stringify(problem)}\n\n`);
  });
});
await new Promise<void>((resolve) => server.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
console.log(`listening on http://127.0.0.1:${port}`);

// One visitor, so that this program shows something and ends; `PORT=8080` keeps it serving.
if (process.env['PORT'] === undefined) {
  const visit = await fetch(`http://127.0.0.1:${port}/jobs?prompt=a%20city%20at%20night`, { method: 'POST' });
  console.log(await visit.text());
  server.close();
  await close();
}
