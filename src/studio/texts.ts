import type { JobPhase, OutputKind } from '../index.js';
import type { KnownJob } from './state/jobs.js';
import type { RangeValues } from './state/ranges.js';
import type { SeedMode } from './state/seeds.js';
import { valueText } from './state/value-text.js';

// Everything that the studio says, so that it reads as one voice, and another language is another file.

const count = (many: number, one: string, several = `${one}s`): string =>
  `${many} ${many === 1 ? one : several}`;

/** `20 s`, `3 min`. */
const duration = (ms: number): string => {
  const seconds = Math.max(1, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3600 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
};

const phases: Readonly<Record<JobPhase, string>> = {
  submitting: 'Sending the workflow …',
  pending: 'Waiting for its turn',
  in_progress: 'Running',
  completed: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
  untraceable: 'Nobody knows this job any more',
  unknown: 'Perhaps submitted: the answer was lost',
};

const hints: Readonly<Record<string, string>> = {
  OutOfMemoryError: 'Make the picture smaller, or run fewer of them at once.',
  ValidationError: 'Look at the marked inputs, change them, and run again.',
};

export const texts = {
  name: 'promptwire studio',
  skip: 'Skip to the content',
  views: 'Views',
  create: 'Create',
  loading: 'Loading …',
  again: 'Try again',
  cancel: 'Cancel',
  close: 'Close',
  dismiss: 'Dismiss',
  runsOn: (service: string) => `on ${service}`,
  timeLeft: (ms: number) => `about ${duration(ms)} left`,
  theme: {
    next: (theme: string, next: string) => `Theme: ${theme}. Change to ${next}`,
  },
  connection: {
    idle: 'Ready',
    connecting: 'Connecting',
    open: 'Connected',
    waiting: 'Reconnecting; your jobs go on',
    failed: 'No connection',
    closed: 'Closed',
  },
  signIn: {
    title: 'Sign in',
    why: 'This gateway knows its callers by a token. It stays in this tab, and is gone when you close it.',
    token: 'Token',
    refused: 'The gateway does not accept this token.',
    submit: 'Sign in',
    out: 'Sign out',
  },
  library: {
    title: 'Pick a workflow',
    lead: 'Begin with one of these, or bring your own.',
    facts: (nodes: number, inputs: number) => `${count(nodes, 'node')}, ${count(inputs, 'input')}`,
  },
  bring: {
    open: 'Open a file',
    how: 'or drop a JSON file, a picture, a video or a sound that carries a workflow, or paste its text.',
    pasted: 'Pasted workflow',
    problem: (name: string, reason: string) =>
      reason === 'none' ? `${name} carries no workflow.` : `${name}: ${reason}`,
  },
  form: {
    title: 'Inputs',
    another: 'Change',
    library: 'All workflows',
    range: 'Range',
    rangeOf: (label: string) => `Run over a range of ${label}`,
    rangeExample: '1…8 or 4, 6, 8',
    rangeValues: (values: readonly unknown[]) =>
      `${count(values.length, 'value')}: ${values.slice(0, 8).map(valueText).join(', ')}${values.length > 8 ? ', …' : ''}`,
    rangeWrong: (reason: (RangeValues & { readonly _tag: 'Wrong' })['reason'], most: number): string =>
      ({
        number: 'Write numbers, such as 1…8 or 4, 6, 8.',
        bounds: 'A value is out of the bounds of this input.',
        choice: 'A value is not in the list.',
        many: `More than ${most} values.`,
        empty: 'Each value is a run: 1…8, 0…1 step 0.25, or 4, 6, 8.',
      })[reason],
    bounds: (min: number | undefined, max: number | undefined) =>
      `It takes a number${min === undefined ? '' : ` from ${min}`}${max === undefined ? '' : ` up to ${max}`}.`,
    slider: (label: string) => `${label}, slider`,
    seedOf: (label: string) => `After each run, ${label}`,
    seeds: { random: 'random', fixed: 'fixed', next: '+1' } satisfies Record<SeedMode, string>,
    search: (many: number) => `Search in ${many}`,
    searchIn: (label: string) => `Search in the choices of ${label}`,
    kept: (value: unknown, isKnown: boolean) =>
      isKnown ? valueText(value) : `${value === undefined ? 'Nothing' : valueText(value)} (not offered)`,
    openFile: 'Open',
    camera: 'Camera',
    noFile: 'Drop, paste or open a file.',
    file: (name: string) => `Uses ${name}`,
    pictureOf: (label: string) => `The picture of ${label}`,
    sending: ({ sent, size }: { readonly sent: number; readonly size: number }) =>
      `Sending … ${size === 0 ? 0 : Math.floor((100 * sent) / size)} %`,
    sent: (name: string) => `${name} is there.`,
  },
  mask: {
    paint: 'Paint a mask',
    title: 'Paint what is to change',
    tools: 'Tools',
    brush: 'Brush',
    eraser: 'Eraser',
    width: 'Width',
    undo: 'Undo',
    redo: 'Redo',
    clear: 'Clear',
    done: 'Use this mask',
    canvas: (strokes: number) => `The picture with a mask of ${count(strokes, 'stroke')}`,
  },
  run: {
    start: (runs: number) => (runs === 1 ? 'Run' : `Run ${runs} jobs`),
    times: 'Times',
    tooMany: (runs: number, most: number) => `${runs} jobs are more than ${most} at once.`,
  },
  queue: {
    title: (many: number) => (many === 0 ? 'Queue' : `Queue (${many})`),
    cancelAll: 'Cancel all',
    cancel: 'Cancel',
    cancelOne: (title: string) => `Cancel ${title}`,
    progressOf: (title: string) => `Progress of ${title}`,
    state: ({ state }: Pick<KnownJob, 'state'>, place: number, leftMs: number | undefined): string => {
      if (state?.phase === 'pending') {
        const position = state.queue?.position ?? place;
        const why =
          state.queue?.reason === 'concurrency_limit' ? ', as the account runs no more at once' : '';
        return `number ${position} in the queue${why}${leftMs === undefined ? '' : `, about ${duration(leftMs)}`}`;
      }
      if (state?.phase === 'in_progress')
        return leftMs === undefined ? 'running' : `about ${duration(leftMs)} left`;
      return state === undefined ? 'sending' : phases[state.phase].toLowerCase();
    },
  },
  stage: {
    title: 'The job',
    empty: 'Run the workflow: its picture grows here.',
    preview: 'Preview of the picture',
    progress: 'Progress of the job',
    show: (filename: string) => `Show ${filename}`,
    nothing: (phase: JobPhase | undefined) =>
      phase === 'completed' ? 'The job made no files.' : phase === undefined ? '' : `${phases[phase]}.`,
    state: ({ state, failure }: Pick<KnownJob, 'state' | 'failure'>): string => {
      if (failure !== undefined) return 'Failed';
      if (state === undefined) return phases.submitting;
      const node = Object.values(state.nodes).find(({ phase }) => phase === 'running');
      if (state.phase !== 'in_progress' || node === undefined) return phases[state.phase];
      const steps = node.max > 1 ? `, step ${node.value} of ${node.max}` : '';
      return `Running node ${node.displayNodeId}${steps}`;
    },
  },
  failure: {
    title: 'The job failed',
    unknown: 'The service gave no reason.',
    where: (nodeId: string, nodeType: string | undefined) =>
      `In node ${nodeId}${nodeType === undefined ? '' : `, ${nodeType}`}.`,
    hintOf: (type: string | undefined) =>
      hints[type ?? ''] ?? 'Change the inputs that this node takes, and run again; nothing else was lost.',
    details: 'Details for developers',
  },
  kinds: {
    image: 'Picture',
    video: 'Video',
    audio: 'Sound',
    '3d': '3D',
    text: 'Text',
    other: 'File',
  } satisfies Record<OutputKind, string>,
  gallery: {
    title: 'Gallery',
    latest: 'Latest results',
    all: 'Show all',
    back: 'Back to the gallery',
    empty: 'What your jobs make will be here.',
    open: (title: string, filename: string) => `${title}: open ${filename}`,
    pictureOf: (title: string) => `Result of ${title}`,
    onlyDownload: (filename: string) => `${filename} can’t be shown here.`,
    download: 'Download',
  },
} as const;
