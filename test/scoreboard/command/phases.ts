import { textToImageWorkflow } from '../../../src/emulator.js';
import type { Gate } from '../../cli/helpers/open-gate.js';
import { png } from '../../cli/helpers/pictures.js';
import { copyWorkflow, slowWorkflow } from '../../cli/helpers/workflows.js';
import { type Command, runCommand } from './run-command.js';
import { openWorkplace, type Workplace } from './workplace.js';

/** A run that stands in one phase until something ends it. */
export interface Held {
  readonly place: Workplace;
  readonly running: Command;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly gate?: Gate;
}

/** The phases of `run`, in order. */
export const phases = [
  'reading',
  'uploading',
  'connecting',
  'submitting',
  'pending',
  'running',
  'confirming',
  'downloading',
] as const;
export type Phase = (typeof phases)[number];

/** How a command is started; another one than the plain process is one in a terminal. */
export type Start = typeof runCommand;

/** What {@link hold} takes. */
export interface HoldOptions {
  readonly main: string;
  readonly flags: readonly string[];
  readonly start?: Start;
}

const endless = slowWorkflow(100_000);
const small = textToImageWorkflow({ steps: 1, width: 64, height: 64 });
const red = png(8, 8, () => [200, 0, 0]);

/** Starts a run and resolves once it stands in the phase. */
export const hold = async (phase: Phase, { main, flags, start = runCommand }: HoldOptions): Promise<Held> => {
  const place = await openWorkplace(
    phase === 'pending' ? { tier: 'free', speed: 0.5 } : phase === 'running' ? { speed: 0.5 } : {},
  );
  const begin = (argv: readonly string[], env: Readonly<Record<string, string>> = {}): Held => {
    const all = { ...place.env, ...env };
    return { place, argv, env: all, running: start({ main, argv, env: all }) };
  };
  const behind = async (held: string, workflow: object, more: readonly string[] = []): Promise<Held> => {
    const gate = await place.gate(held);
    const argv = [
      'run',
      await place.file('wf.json', workflow),
      '--out',
      `${place.dir}/out`,
      ...more,
      ...flags,
    ];
    const started = { ...begin(argv, { PROMPTWIRE_BASE_URL: gate.baseUrl }), gate };
    await Promise.race([gate.arrived, started.running.ended]);
    return started;
  };
  const waitForText = async (held: Held, text: string): Promise<Held> => {
    await held.running.waitForText(text);
    return held;
  };
  switch (phase) {
    case 'reading': {
      const held = begin(['run', '-', ...flags]);
      // More than a pipe holds, so that it is written only if a reader is there.
      await held.running.type(`{${' '.repeat(2 ** 20)}`);
      return held;
    }
    case 'uploading': {
      const upload = ['--upload', `1.image=${await place.file('red.png', red)}`];
      return behind('POST /api/upload/image', copyWorkflow, upload);
    }
    case 'connecting': {
      const gate = await place.gate('nothing else');
      const held = begin(['run', await place.file('wf.json', endless), ...flags], {
        PROMPTWIRE_WS_URL: gate.wsUrl,
      });
      await Promise.race([gate.arrived, held.running.ended]);
      return held;
    }
    case 'submitting':
      return behind('POST /api/prompt', slowWorkflow(1));
    case 'pending': {
      const first = runCommand({
        main,
        argv: ['run', await place.file('a.json', endless), '--detach'],
        env: place.env,
      });
      await first.ended;
      return waitForText(
        begin(['run', await place.file('wf.json', slowWorkflow(99_999)), ...flags]),
        'pending',
      );
    }
    case 'running':
      return waitForText(begin(['run', await place.file('wf.json', endless), ...flags]), 'in_progress');
    case 'confirming':
      // The look at history may come before the id is in the record of the job key.
      return waitForText(await behind('GET /api/history', slowWorkflow(1)), 'ubmitted');
    case 'downloading':
      return behind('GET /api/view', small);
  }
};
