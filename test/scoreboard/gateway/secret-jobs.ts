import { type RestFault, startEmulator, textToImageWorkflow } from '../../../src/emulator.js';
import { bearerTokens, createGateway } from '../../../src/gateway.js';
import { createClientOn } from '../../../src/client/client.js';
import { fileAccess } from '../../../src/core/files/file-access.js';
import type { Dialect } from '../../../src/node.js';
import { nodePlatform } from '../../../src/core/platform/node.js';
import { realClock } from '../../../src/core/platform/clock.js';
import { failingWorkflow } from '../../cli/helpers/workflows.js';
import { canaries, canaryKey } from '../../helpers/canaries.js';
import { encodingsOf } from '../../helpers/canary.js';
import { needlesOf } from '../../helpers/needles.js';
import { shownOf } from '../../helpers/sinks.js';
import { readStream } from './read-stream.js';

/** A text that a gateway showed, and where. */
interface Shown {
  readonly what: string;
  readonly text: string;
}

/** What a gateway showed of the secrets that it works with. */
export interface ShownSecrets {
  readonly jobs: number;
  readonly answers: number;
  readonly bytes: number;
  readonly hits: number;
  readonly problems: readonly string[];
}

/** Back-off and polling take a twentieth of their time. */
const hurried: typeof realClock = {
  ...realClock,
  now: () => realClock.now() * 20,
  after: (delayMs, work, options) => realClock.after(delayMs / 20, work, options),
};

let pictures = 0;
const picture = () => textToImageWorkflow({ width: 64, height: 64, steps: 1, seed: (pictures += 1) });

/** A gateway with its secrets: the key of the service, one that a caller sends for partner nodes, a signature, a caller's token. */
const secrets: Readonly<Record<string, string>> = {
  'the key': canaryKey('of-the-gateway'),
  'the partner key': canaries.partnerKey,
  'a signature': canaries.signature,
  "a caller's token": 'Xv8+Lm1/Qc6=Jt3rB5kP',
};

/**
 * Lets jobs and answers of a service repeat the secrets in each encoding, and searches all that the gateway answers, streams, logs and
 * reports for any of them in any encoding.
 */
export const showSecrets = async (dialect: Dialect): Promise<ShownSecrets> => {
  const [key, partnerKey, signature, token] = Object.values(secrets) as [string, string, string, string];
  await using emulator = await startEmulator({
    dialect,
    speed: Infinity,
    acceptKeys: [key],
    switches: { historyLagMs: 0 },
  });
  const { baseUrl, wsUrl } = emulator;
  await using client = createClientOn(
    { ...nodePlatform(), clock: hurried },
    { baseUrl, wsUrl, dialect, apiKey: key },
    fileAccess,
  );
  const seen: Shown[] = [];
  const see = (what: string, text: string): void => void seen.push({ what, text });
  await using gateway = createGateway({
    client,
    authorize: bearerTokens({ web: token }),
    limits: { requestsPerSecond: 1e9 },
    accessLog: (entry) => see('the access log', JSON.stringify(entry)),
    onError: (error) => shownOf(error).forEach((text) => see('an error', text)),
  });
  let [jobs, answers] = [0, 0];

  const ask = async (method: string, path: string, body?: unknown): Promise<Record<string, unknown>> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await gateway.fetch(
      new Request(`http://gateway.test${path}`, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );
    answers += 1;
    const what = `${method} ${path.replace(/[\da-f-]{36}/gu, '{id}').replace(/\?.*/u, '')}`;
    see(
      what,
      `${response.status} ${[...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')}`,
    );
    if (path.includes('/events')) {
      const reading = readStream(response.body!, 'sse');
      for (;;) {
        const read = await reading.next();
        if (typeof read === 'string') break;
        see(what, JSON.stringify(read));
      }
      await reading.cut();
      return {};
    }
    const text = await response.text();
    see(what, text);
    try {
      return JSON.parse(text) as Record<string, unknown>;
    } catch {
      return {};
    }
  };

  /** Submits, reads everything there is of the job but its workflow, which is the caller's own text. */
  const runJob = async (workflow: unknown): Promise<void> => {
    const extra_data = { api_key_comfy_org: partnerKey };
    const { id } = await ask('POST', '/api/v2/jobs', { workflow, extra_data });
    if (typeof id !== 'string') return;
    jobs += 1;
    const { ticket } = await ask('POST', '/watch-tokens', { job: id });
    tickets.push(String(ticket));
    await Promise.all([
      ask('GET', `/api/v2/jobs/${id}/events`),
      ask('GET', `/jobs/${id}/events?ticket=${String(ticket)}`),
      ask('GET', `/jobs/${id}/events?from=start`),
    ]);
    await ask('GET', '/jobs?limit=1');
    await ask('GET', `/jobs/${id}`);
    await ask('GET', `/api/v2/jobs/${id}/logs`);
    const { outputs = [] } = await ask('GET', `/api/v2/jobs/${id}`);
    for (const { id: output, url } of outputs as readonly { readonly id: string; readonly url: string }[]) {
      await ask('GET', `/api/v2/assets/${output}`);
      await ask('GET', new URL(url).pathname);
      await ask('GET', `/jobs/${id}/outputs/${output}`);
    }
    await ask('POST', `/jobs/${id}/cancel`);
  };
  const tickets: string[] = [];

  const routes = {
    cloud: { submit: 'POST /api/prompt', content: 'GET /api/view' },
    local: { submit: 'POST /prompt', content: 'GET /view' },
    v2: { submit: 'POST /api/v2/jobs', content: 'GET /api/v2/assets/{id}/content' },
  }[dialect];
  const answer = (route: string, status: number, form: string, location?: string): RestFault => ({
    on: 'rest',
    do: 'answer',
    times: 'every',
    route,
    status,
    headers: {
      'content-type': 'application/json',
      'www-authenticate': `Bearer error_description="${form.replace(/[^ -~]/gu, '')}"`,
      ...(location !== undefined && { location }),
    },
    body: JSON.stringify({
      error: { type: 'REFUSED', code: 'invalid_workflow', message: `the key ${form}`, details: form },
      node_errors: { 1: { class_type: form, errors: [{ type: 'x', message: form, details: form }] } },
    }),
  });

  for (const secret of [key, partnerKey, signature]) {
    for (const [, form] of encodingsOf(secret)) {
      emulator.setFaults([]);
      // What the caller writes into its own workflow is its own; the key and its own partner key come back redacted.
      if (secret !== signature) await runJob(failingWorkflow('OOMError', `token=${form}`));
      for (const status of [400, 401, 403, 422]) {
        emulator.setFaults([answer(routes.submit, status, form)]);
        if (secret !== signature) await runJob(picture());
      }
      const signedUrl = `http://127.0.0.1:1/file?X-Amz-Signature=${encodeURIComponent(signature)}`;
      const status = secret === signature ? 302 : 403;
      emulator.setFaults([answer(routes.content, status, form, status === 302 ? signedUrl : undefined)]);
      await runJob(picture());
    }
  }
  emulator.setFaults([]);
  await runJob(picture());
  await ask('GET', '/readyz');
  await ask('GET', '/events-that-are-not-there');
  const bytes = seen.reduce((sum, { text }) => sum + text.length, 0);
  // A watch token is for its holder, and for no log.
  const isLogged = seen.some(
    ({ what, text }) => what === 'the access log' && tickets.some((ticket) => text.includes(ticket)),
  );
  const hits = [...secretsIn(seen), ...(isLogged ? ['the access log has a watch token'] : [])];
  return { jobs, answers, bytes, hits: hits.length, problems: hits.map((hit) => `${dialect}: ${hit}`) };
};

/** The secrets in what a gateway showed, each with its encoding and its place. */
export const secretsIn = (shown: readonly Shown[]): readonly string[] => {
  const needles = Object.entries(secrets).flatMap(([name, secret]) =>
    needlesOf(secret).map(({ encoding, bytes }) => ({ name: `${name}, ${encoding}`, bytes })),
  );
  const hits = new Set<string>();
  for (const { what, text } of shown) {
    const buffer = Buffer.from(text);
    for (const { name, bytes } of needles) if (buffer.includes(bytes)) hits.add(`${what} shows ${name}`);
  }
  return [...hits];
};
