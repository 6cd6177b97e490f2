import type { AddressInfo } from 'node:net';
import { createClient } from '../../src/node.js';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { readStudio, withStudio } from '../../src/cli/serving/studio-files.js';
import { makeSample } from '../../src/cli/serving/sample-files.js';
import { startEmulator } from '../../src/emulator.js';
import { toNodeHandler } from '../../src/gateway-node.js';

/** So many jobs with one picture each. */
export const manyResults = 5_000;

const perPage = 100;

/** Serves the studio of a built package before so many results that nobody has to make them. */
export const serveResults = async (built: URL): Promise<AsyncDisposable & { readonly address: string }> => {
  const picture = await makePicture();
  const files = (await readStudio(new URL('studio/', built)))();
  const gateway = { fetch: (request: Request) => Promise.resolve(answer(new URL(request.url), picture)) };
  const server = createServer(toNodeHandler(withStudio(gateway, files)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

const makePicture = async (): Promise<Blob> => {
  await using emulator = await startEmulator({ speed: Infinity });
  await using client = createClient(emulator);
  return await makeSample(client, 'example.png');
};

/** What a gateway answers that has these results. */
const answer = ({ pathname, searchParams }: URL, picture: Blob): Response => {
  const [, job] = /^\/jobs\/job-(\d+)$/u.exec(pathname) ?? [];
  if (job !== undefined) return Response.json({ ...jobOf(Number(job)), files: [fileOf(Number(job))] });
  if (pathname.includes('/outputs/'))
    return new Response(picture, { headers: { 'cache-control': 'no-store' } });
  if (pathname === '/jobs') return Response.json(pageOf(searchParams));
  // The rest of the page does without.
  return Response.json(
    { type: 'about:blank', title: 'Not Found', status: 404, detail: '', code: 'not_found' },
    { status: 404 },
  );
};

const pageOf = (query: URLSearchParams): object => {
  if (query.get('status')?.includes('pending') === true) return { jobs: [] };
  const from = Number(query.get('cursor') ?? 0);
  const jobs = Array.from({ length: perPage }, (_, at) => jobOf(from + at));
  const next = from + perPage;
  return next < manyResults ? { jobs, next: String(next) } : { jobs };
};

const fileOf = (at: number): object => ({
  ...{ id: 'o', nodeId: '7', filename: `${at}.png`, type: 'output', mediaType: 'image/png' },
});

const jobOf = (at: number): object => ({
  ...{ id: `job-${at}`, createdAt: 1_700_000_000_000 - at, expiresAt: 4_000_000_000_000 },
  metadata: { workflow: 'A lighthouse', 'studio.prompt': `number ${at}` },
  state: {
    ...{ promptId: `job-${at}`, phase: 'completed', nodes: {}, progress: 1, outputsComplete: true },
    ...{ nodeErrors: {}, warnings: [] },
    outputs: { 7: { images: [{ filename: `${at}.png`, subfolder: '', type: 'output' }] } },
  },
});
