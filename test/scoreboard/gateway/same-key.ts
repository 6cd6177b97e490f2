import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmulator } from '../../../src/emulator.js';
import { createGateway } from '../../../src/gateway.js';
import { filePorts, toNodeHandler } from '../../../src/gateway-node.js';
import { createClient, type Dialect } from '../../../src/node.js';
import { inParallel } from '../../helpers/in-parallel.js';

/** What equal submissions came to over one dialect. */
export interface SameKey {
  readonly submissions: number;
  readonly overSockets: number;
  /** What the service has in its books, of the caller and of another one who uses the same key. */
  readonly upstreamJobs: number;
  readonly replayed: number;
  readonly refused: number;
  readonly problems: readonly string[];
}

/** One answer, as a caller sees it. */
interface Answer {
  readonly asksForReplay: boolean;
  readonly status: number;
  readonly id: unknown;
  readonly code: unknown;
  readonly isReplay: boolean;
}

const workflow = { 1: { class_type: 'SlowNode', inputs: { steps: 10_000 } } };

/** Submits one workflow under one key so many times at once, a twentieth of them over sockets; half of the callers ask for a replay. */
export const submitAtOnce = async (dialect: Dialect, submissions: number): Promise<SameKey> => {
  const folder = await mkdtemp(join(tmpdir(), 'promptwire-g6-'));
  await using emulator = await startEmulator({ dialect });
  await using client = createClient({ ...emulator, dialect });
  // The index in files is the slower one, and so has the wider window.
  const ports = dialect === 'local' ? await filePorts(folder) : {};
  const gateway = createGateway({
    ...{ client, ...ports },
    authorize: (request) => ({ name: request.headers.get('x-caller') ?? '' }),
    limits: { requestsPerSecond: 1e9 },
  });
  const server = createServer(toNodeHandler(gateway));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  const submit = async (
    send: typeof fetch,
    base: string,
    caller: string,
    asksForReplay: boolean,
  ): Promise<Answer> => {
    const response = await send(`${base}/api/v2/jobs`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': 'one-key',
        'x-caller': caller,
        ...(asksForReplay && { 'idempotency-replay': 'true' }),
      },
      body: JSON.stringify({ workflow }),
    });
    const body = (await response.json()) as { id?: unknown; error?: { code?: unknown } };
    return {
      ...{ asksForReplay, status: response.status, id: body.id, code: body.error?.code },
      isReplay: response.headers.get('idempotency-replayed') === 'true',
    };
  };
  const inProcess: typeof fetch = (url, init) => gateway.fetch(new Request(url, init));
  try {
    const overSockets = Math.ceil(submissions / 20);
    const [answers, others] = await Promise.all([
      Promise.all([
        ...Array.from({ length: submissions - overSockets }, (_, at) =>
          submit(inProcess, 'http://gateway.test', 'one', at % 2 === 0),
        ),
        ...Array.from({ length: overSockets }, (_, at) =>
          submit(fetch, `http://127.0.0.1:${port}`, 'one', at % 2 === 0),
        ),
      ]),
      submit(inProcess, 'http://gateway.test', 'another', false),
    ]);
    const later: Answer[] = [];
    await inParallel([true, false], 2, async (asksForReplay) => {
      later.push(await submit(inProcess, 'http://gateway.test', 'one', asksForReplay));
    });
    const { jobs } = emulator.ledger;
    return {
      ...{ submissions, overSockets, upstreamJobs: jobs.length },
      replayed: answers.filter(({ isReplay }) => isReplay).length,
      refused: answers.filter(({ status }) => status === 422).length,
      problems: problemsOf(answers, later, others, jobs.length).map((problem) => `${dialect}: ${problem}`),
    };
  } finally {
    await gateway.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true, force: true });
  }
};

const problemsOf = (
  answers: readonly Answer[],
  later: readonly Answer[],
  another: Answer,
  jobs: number,
): readonly string[] => {
  const ids = new Set([...answers, ...later].filter(({ status }) => status === 201).map(({ id }) => id));
  const firsts = answers.filter(({ status, isReplay }) => status === 201 && !isReplay);
  const odd = [...answers, ...later].filter((answer) => !isRight(answer) && !firsts.includes(answer));
  return [
    ...(jobs === 2 ? [] : [`${jobs} jobs of the service for two callers`]),
    ...(ids.size === 1 ? [] : [`callers got ${ids.size} jobs`]),
    ...(firsts.length === 1 ? [] : [`${firsts.length} callers were told that theirs was the first`]),
    ...(odd.length === 0 ? [] : [`${odd.length} answers like ${JSON.stringify(odd[0])}`]),
    ...(another.status === 201 && !another.isReplay && !ids.has(another.id)
      ? []
      : ['another caller was not served']),
  ];
};

/** The first answer again for a caller that asks for it, and the refusal of API v2 for one that does not. */
const isRight = ({ asksForReplay, status, isReplay, code }: Answer): boolean =>
  asksForReplay ? status === 201 && isReplay : status === 422 && code === 'idempotency_key_reuse';
