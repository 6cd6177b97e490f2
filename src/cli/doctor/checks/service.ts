import { type Answered, ask, credentials, jsonOf, reason } from '../ask.js';
import { type Check, failed, type Found, ok, type Patient, skipped, warning } from '../finding.js';
import type { Dialect } from '../../../node.js';

/** A request that costs nothing, whose answer only this kind of server gives. */
const probes: Readonly<
  Record<Dialect, { readonly path: string; readonly isIts: (answer: Answered) => boolean }>
> = {
  cloud: {
    path: '/api/user',
    isIts: (answer) => isRefusal(answer) || hasMember(answer, 'status'),
  },
  local: { path: '/system_stats', isIts: (answer) => answer.status === 200 && hasMember(answer, 'system') },
  v2: {
    path: '/api/v2/jobs?limit=1',
    isIts: (answer) => isRefusal(answer) || hasMember(answer, 'jobs') || lacksList(answer),
  },
};

const isRefusal = (answer: Answered): boolean =>
  (answer.status === 401 || answer.status === 403) && jsonOf(answer) !== undefined;

/** A server of API v2 may have no list of jobs (V.5.11). */
const lacksList = (answer: Answered): boolean => {
  const { error } = (jsonOf(answer) ?? {}) as { readonly error?: { readonly code?: unknown } };
  return answer.status === 501 && error?.code === 'not_implemented';
};

const hasMember = (answer: Answered, name: string): boolean => {
  const body = jsonOf(answer);
  return answer.status === 200 && typeof body === 'object' && body !== null && name in body;
};

/** How far the clock of this machine is from that of the service. */
export const clockCheck: Check = {
  name: 'clock',
  needs: ['address', 'dns', 'connection', 'tls', 'proxy'],
  exit: 'network',
  look: async (patient) => {
    const { headers } = await ask(patient, probes[patient.settings.dialect ?? 'cloud'].path).catch(noAnswer);
    const there = Date.parse(String(headers['date']));
    if (Number.isNaN(there)) return skipped('the service does not tell its time');
    const seconds = Math.round((Date.now() - there) / 1000);
    return Math.abs(seconds) <= maxSeconds
      ? ok(`within ${maxSeconds} s of the service`)
      : failed(
          `this machine is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} the service`,
          'Let it take its time from a time server: signed addresses and tickets end by the clock.',
        );
  },
};

const maxSeconds = 60;

/** Whether the server is of the kind that was said. */
export const dialectCheck: Check = {
  name: 'dialect',
  needs: ['address', 'dns', 'connection', 'tls', 'proxy'],
  exit: 'usage',
  look: async (patient) => {
    const { dialect = 'cloud' } = patient.settings;
    const own = await ask(patient, probes[dialect].path).catch(noAnswer);
    if (probes[dialect].isIts(own)) return ok(`the service is of the dialect ${dialect}`);
    if (own.status >= 500)
      return failed(`the service answers ${own.status}`, 'Try again later, or ask its operator.');
    for (const [other, { path, isIts }] of Object.entries(probes)) {
      if (other === dialect) continue;
      const answer = await ask(patient, path, { withKey: false }).catch(noAnswer);
      if (isIts(answer))
        return failed(
          `the service is of the dialect ${other}, and not ${dialect}`,
          `Say --dialect ${other}.`,
        );
    }
    return failed(
      `what answers at ${patient.url.host} is no such service (${own.status} to ${probes[dialect].path})`,
      'Correct the address, its path included; a login page or another program may stand there.',
    );
  },
};

/** Whether the service takes the key. */
export const keyCheck: Check = {
  name: 'key',
  needs: ['dialect'],
  exit: 'auth',
  look: async (patient) => {
    const { dialect = 'cloud', apiKey } = patient.settings;
    if (dialect === 'local') return skipped('a local server takes none');
    if (apiKey === undefined)
      return failed(
        'no key is set',
        'Set PROMPTWIRE_API_KEY_FILE or PROMPTWIRE_API_KEY, or give --key-file.',
      );
    const { status } = await ask(patient, probes[dialect].path).catch(noAnswer);
    if (status !== 401 && status !== 403) return ok('the service takes it');
    return failed(
      `the service refuses it with ${status}`,
      'Make a new key in the account, and look whether it is of this service; --auth bearer sends it the other way.',
    );
  },
};

/** How the account stands, as far as the service says before a submission. */
export const planCheck: Check = {
  name: 'plan',
  needs: ['key'],
  exit: 'billing',
  look: async (patient) => {
    const { dialect = 'cloud' } = patient.settings;
    if (dialect !== 'cloud') return skipped(`the dialect ${dialect} tells of none before a submission`);
    const user = jsonOf(await ask(patient, probes.cloud.path).catch(noAnswer)) as {
      readonly status?: unknown;
    };
    const status = typeof user.status === 'string' ? user.status : 'unknown';
    if (status !== 'active') return failed(`the account is ${status}`, lookAtAccount);
    return judgeFeatures(await ask(patient, '/api/features').then(jsonOf, () => undefined));
  },
};

const lookAtAccount = 'Look at plan and payments in the account at the service.';

/** What the service tells of an active account's means: a free one has a balance, and nodes of partners may be refused. */
const judgeFeatures = (features: unknown): Found => {
  const { free_tier_balance: balance, can_run_partner_nodes: partners } = membersOf(features);
  const { allowance, remaining } = membersOf(balance);
  const isCounted = typeof remaining === 'number' && typeof allowance === 'number';
  if (isCounted && remaining <= 0)
    return failed(
      `the account is active, and its free tier is used up (${allowance - remaining} of ${allowance})`,
      'Choose a plan in the account at the service, or wait until the free tier begins anew.',
    );
  const left = isCounted
    ? `the account is active, ${remaining} of ${allowance} of its free tier are left`
    : 'the account is active';
  return partners === false
    ? warning(
        `${left}; it may not run nodes of partners`,
        `Workflows with paid nodes are refused. ${lookAtAccount}`,
      )
    : ok(`${left}; whether credits suffice shows only at a submission`);
};

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

/** Whether a page of an origin may call the service. */
export const originCheck: Check = {
  name: 'cross-origin',
  needs: ['dialect'],
  exit: 'network',
  look: async (patient) => {
    const { origin, settings } = patient;
    if (origin === undefined) return skipped('--origin names the page that is to call the service');
    const names = Object.keys(credentials(settings));
    const { headers, status } = await ask(
      patient,
      settings.dialect === 'v2' ? '/api/v2/jobs' : '/api/prompt',
      {
        method: 'OPTIONS',
        withKey: false,
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': ['content-type', ...names].join(','),
        },
      },
    ).catch(noAnswer);
    const allowed = String(headers['access-control-allow-origin'] ?? '');
    if (status < 300 && (allowed === '*' || allowed === origin)) return ok(`pages of ${origin} may call it`);
    return failed(
      `pages of ${origin} may not call it (${status}, ${allowed === '' ? 'no origin is allowed' : `for ${allowed}`})`,
      'Put a gateway between, which also keeps the key: promptwire serve --allow-origin.',
    );
  },
};

/** Whether files come: a cloud service redirects to its storage. */
export const storageCheck: Check = {
  name: 'storage',
  needs: ['key'],
  exit: 'download',
  look: async (patient) => {
    const { dialect = 'cloud' } = patient.settings;
    if (dialect !== 'cloud') return skipped(`the dialect ${dialect} gives files by itself`);
    const file = await someFile(patient);
    if (file === undefined) return skipped('the account lists no job with a file yet');
    const { status, headers } = await ask(patient, `/api/view?${new URLSearchParams(file).toString()}`);
    const location = String(headers['location'] ?? '');
    if (status === 200) return ok('files come without a redirect');
    if (status !== 302 || !URL.canParse(location))
      return failed(`a file of a job is answered ${status}`, 'Its time may be over: look at a newer job.');
    const { host } = new URL(location);
    try {
      const answer = await ask(patient, new URL(location), {
        withKey: false,
        headers: { range: 'bytes=0-0' },
      });
      if (answer.status === 200 || answer.status === 206) return ok(`files come from ${host}`);
      return failed(
        `the storage ${host} answers ${answer.status}`,
        'Look whether a proxy changes addresses or headers.',
      );
    } catch (error) {
      return failed(
        `the storage ${host} does not answer (${reason(error)})`,
        'Let this machine, or its proxy, reach it.',
      );
    }
  },
};

/** How the output of a node names a file. */
interface FileName {
  readonly filename: string;
  readonly subfolder?: string;
  readonly type?: string;
}

/** A file of the latest job that has one. */
const someFile = async ({ connect }: Patient): Promise<Record<string, string> | undefined> => {
  const { rest } = await connect();
  const recent = await rest.recentJobs()();
  if (recent._tag === 'Left') return undefined;
  for (const { promptId } of recent.right.slice(0, 3)) {
    const record = await rest.history(promptId)();
    if (record._tag === 'Left') continue;
    const files = Object.values(record.right.outputs).flatMap((node) => Object.values(node).flat());
    const found = files.find(
      (one): one is FileName => typeof one === 'object' && one !== null && 'filename' in one,
    );
    if (found !== undefined)
      return {
        filename: found.filename,
        subfolder: found.subfolder ?? '',
        type: found.type ?? 'output',
      };
  }
  return undefined;
};

const noAnswer = (error: unknown): never => {
  throw new Error(`the service does not answer (${reason(error)})`);
};
