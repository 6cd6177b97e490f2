import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { StopSignal } from '../../src/cli/cli-io.js';
import { exitCodes } from '../../src/cli/exit-code.js';
import { textToImageWorkflow } from '../../src/emulator.js';
import { gate } from './helpers/gate.js';
import { jsonLines } from './helpers/json-lines.js';
import { png } from './helpers/pictures.js';
import type { RunningCli } from './helpers/start-cli.js';
import { workspace, type Workspace } from './helpers/workspace.js';
import { copyWorkflow, slowWorkflow } from './helpers/workflows.js';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const policies = ['detach', 'cancel'] as const;
const endless = slowWorkflow(100_000);
const picture = textToImageWorkflow({ steps: 1, width: 64, height: 64 });

/** A run that stands in one phase until something ends it. */
interface Held {
  readonly ws: Workspace;
  readonly running: RunningCli;
}

type Hold = (flags: readonly string[]) => Promise<Held>;

const behindGate =
  (held: string, workflow: object): Hold =>
  async (flags) => {
    const ws = await workspace();
    const { baseUrl, arrived } = await gate(ws.emulator.baseUrl, held);
    const argv = ['run', await ws.file('wf.json', workflow), '--out', ws.dir, ...flags];
    const running = ws.cli(argv, { env: { PROMPTWIRE_BASE_URL: baseUrl } });
    await arrived;
    return { ws, running };
  };

const phases = {
  reading: async (flags) => {
    const ws = await workspace();
    return { ws, running: ws.cli(['run', '-', ...flags], { stdin: new PassThrough() }) };
  },
  uploading: async (flags) => {
    const ws = await workspace();
    const { baseUrl, arrived } = await gate(ws.emulator.baseUrl, 'POST /api/upload/image');
    const red = await ws.file(
      'red.png',
      png(8, 8, () => [200, 0, 0]),
    );
    const argv = ['run', await ws.file('wf.json', copyWorkflow), '--upload', `1.image=${red}`, ...flags];
    const running = ws.cli(argv, { env: { PROMPTWIRE_BASE_URL: baseUrl } });
    await arrived;
    return { ws, running };
  },
  connecting: async (flags) => {
    const ws = await workspace();
    const { wsUrl, arrived } = await gate(ws.emulator.baseUrl, 'nothing else');
    const argv = ['run', await ws.file('wf.json', endless), ...flags];
    const running = ws.cli(argv, { env: { PROMPTWIRE_WS_URL: wsUrl } });
    await arrived;
    return { ws, running };
  },
  submitting: behindGate('POST /api/prompt', slowWorkflow(1)),
  pending: async (flags) => {
    const ws = await workspace({ tier: 'free', speed: 0.5 });
    const workflow = await ws.file('wf.json', endless);
    await ws.cli(['run', workflow, '--detach']).exit;
    const running = ws.cli(['run', workflow, ...flags]);
    await running.printed('"pending"');
    return { ws, running };
  },
  running: async (flags) => {
    const ws = await workspace({ speed: 0.5 });
    const running = ws.cli(['run', await ws.file('wf.json', endless), ...flags]);
    await running.printed('in_progress');
    return { ws, running };
  },
  confirming: behindGate('GET /api/history', slowWorkflow(1)),
  downloading: behindGate('GET /api/view', picture),
} satisfies Readonly<Record<string, Hold>>;

type Phase = keyof typeof phases;

/** The table of docs/guide/command.md: how it ends, and the advice for the next step. */
const expected = (
  phase: Phase,
  signal: StopSignal,
  cancels: boolean,
): { readonly exit: keyof typeof exitCodes; readonly resume?: string } => {
  switch (phase) {
    case 'reading':
    case 'uploading':
    case 'connecting':
      return { exit: signal };
    case 'submitting':
      return { exit: 'outcomeUnknown' };
    case 'pending':
    case 'running':
      return cancels ? { exit: 'cancelled' } : { exit: signal, resume: 'follow' };
    case 'confirming':
      // It has ended by itself.
      return { exit: signal, resume: cancels ? 'outputs' : 'follow' };
    case 'downloading':
      return { exit: signal, resume: 'outputs' };
  }
};

const rows = (Object.keys(phases) as Phase[]).flatMap((phase) =>
  signals.flatMap((signal) =>
    policies.map((policy) => {
      const id = phase === 'submitting' ? 'J3' : signal === 'SIGINT' ? 'J1' : 'J2';
      return [id, signal, phase, policy] as const;
    }),
  ),
);

describe.concurrent('a signal', () => {
  it.each(rows)('%s: %s while %s, --on-interrupt %s', async (_, signal, phase, policy) => {
    const { ws, running } = await phases[phase](['--json', '--on-interrupt', policy]);
    running.signal(signal);
    const cancels =
      policy === 'cancel' && signal === 'SIGINT' && ['pending', 'running', 'confirming'].includes(phase);
    const { exit, resume } = expected(phase, signal, cancels);
    expect(await running.exit).toBe(exitCodes[exit].code);
    expect(running.stderr()).toBe('');

    const lines = jsonLines(running.stdout());
    const end = lines.at(-1);
    const promptId = end?.['promptId'];
    expect(end).toMatchObject({ kind: 'end', exit, code: exitCodes[exit].code });
    expect(end?.['resume']).toBe(resume && `promptwire ${resume} ${String(promptId)}`);

    expect(deletedIds(ws)).toEqual(cancels ? [[promptId]] : []);
    expect(lines.filter(({ kind }) => kind === 'cancelRequested')).toEqual(
      cancels ? [{ kind: 'cancelRequested', promptId }] : [],
    );
    expect(ws.asked()).not.toContain('POST /api/interrupt');
    if (phase === 'pending' || phase === 'running') {
      expect(await phaseOf(ws, String(promptId))).toBe(
        cancels ? 'cancelled' : phase === 'pending' ? 'pending' : 'in_progress',
      );
    }
  });

  it('J1: says what a person has to know: the id and the way back, or that the service was asked', async () => {
    for (const policy of policies) {
      const ws = await workspace({ speed: 0.5 });
      const running = ws.cli(['run', await ws.file('wf.json', endless), '--on-interrupt', policy]);
      await running.printed('Running');
      running.signal('SIGINT');
      expect(await running.exit).toBe(policy === 'detach' ? 130 : 7);
      const id = /^Submitted as (\S+)$/mu.exec(running.stderr())?.[1] ?? '';
      expect(running.stderr().endsWith(`${words[policy](id)}\n`)).toBe(true);
    }
  });

  it('J1: a refused cancellation is reported, the job goes on, and the code stays 130', async () => {
    const ws = await workspace({ speed: 0.5 });
    const flags = ['--json', '--on-interrupt', 'cancel'];
    const running = ws.cli(['run', await ws.file('wf.json', endless), ...flags]);
    await running.printed('in_progress');
    for (let time = 0; time < 3; time += 1) ws.emulator.answerOnce('POST', '/api/queue', { status: 403 });
    running.signal('SIGINT');
    expect(await running.exit).toBe(130);
    const lines = jsonLines(running.stdout());
    expect(lines.slice(-2)).toMatchObject([{ kind: 'error', tag: 'Forbidden' }, { exit: 'SIGINT' }]);
    expect(lines.map(({ kind }) => kind)).not.toContain('cancelRequested');
    expect(await phaseOf(ws, String(lines.at(-1)?.['promptId']))).toBe('in_progress');
  });

  it('R3: a second Ctrl-C ends the wait for the end of a cancelled job', async () => {
    const ws = await workspace({ speed: 0.5 });
    const { baseUrl, arrived } = await gate(ws.emulator.baseUrl, 'GET /api/job');
    const argv = ['run', await ws.file('wf.json', endless), '--json', '--on-interrupt', 'cancel'];
    const running = ws.cli(argv, { env: { PROMPTWIRE_BASE_URL: baseUrl } });
    await running.printed('in_progress');
    running.signal('SIGINT');
    await running.printed('cancelRequested');
    await arrived;
    running.signal('SIGINT');
    expect(await running.exit).toBe(130);
    const end = jsonLines(running.stdout()).at(-1);
    expect(end?.['resume']).toBe(`promptwire follow ${String(end?.['promptId'])}`);
  });

  it('J1: --timeout never cancels, with any --on-interrupt', async () => {
    const ws = await workspace({ speed: 0.5 });
    const flags = ['--json', '--on-interrupt', 'cancel', '--timeout', '61'];
    const running = ws.cli(['run', await ws.file('wf.json', endless), ...flags], { uptimeMs: () => 60_000 });
    expect(await running.exit).toBe(11);
    expect(deletedIds(ws)).toEqual([]);
  });
});

const words = {
  detach: (id: string) =>
    `The job goes on. To watch it:\n  promptwire follow ${id}\nTo cancel it:\n  promptwire cancel ${id}`,
  cancel: (id: string) =>
    `Asking the service to cancel ${id} …\nIt took the request.\nThe job was cancelled.`,
} as const;

/** Which ids each delete of the queue named. */
const deletedIds = ({ emulator }: Workspace): readonly unknown[] =>
  emulator.requests
    .filter(({ method, url }) => method === 'POST' && url.startsWith('/api/queue'))
    .map(({ body = '' }) => (JSON.parse(body) as { readonly delete: unknown }).delete);

const phaseOf = async ({ cli }: Workspace, promptId: string): Promise<unknown> => {
  const asking = cli(['status', promptId, '--json']);
  await asking.exit;
  return jsonLines(asking.stdout())[0]?.['phase'];
};
