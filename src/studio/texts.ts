import type { JobEvent } from './state/job-events.js';
import { count, duration, hintOf, phases, precise, stateInQueue, stateOnStage } from './words.js';
import type { JobPhase, NodeState, OutputKind } from '../index.js';
import type { NodeFault } from './state/failure.js';
import type { RangeValues } from './state/ranges.js';
import type { SeedMode } from './state/seeds.js';
import { valueText } from './state/value-text.js';

// Everything that the studio says, so that it reads as one voice, and another language is another file.

export const texts = {
  name: 'promptwire studio',
  skip: 'Skip to the content',
  views: 'Views',
  create: 'Create',
  loading: 'Loading …',
  again: 'Try again',
  copy: 'Copy',
  copied: 'Copied',
  notCopied: 'Not copied',
  duration: (ms: number) => precise(ms),
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
  picker: {
    title: 'Pick a workflow',
    lead: 'Begin with one of these, or bring your own.',
    shipped: 'Shipped workflows',
    saved: 'Your templates',
    own: 'A template of yours.',
    noWorkflow: 'The gateway has no workflow of this template.',
    inputs: (many: number) => count(many, 'input'),
    remove: (title: string) => `Delete the template ${title}`,
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
    all: 'All workflows',
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
  camera: {
    title: 'Take a picture',
    sees: 'What the camera sees',
    take: 'Take the picture',
    refused: 'The browser gives no camera to this page. Allow it there, or open a file.',
  },
  author: {
    open: 'Choose inputs, and save as a template',
    name: 'Name',
    how: 'The form shows the inputs that you tick, by the labels that you give them.',
    input: (title: string, label: string) => `${title}: ${label}`,
    labelOf: (name: string) => `Label of ${name}`,
    save: 'Save as a template',
    saved: (title: string) => `${title} is among the workflows now.`,
    done: 'Done',
  },
  problems: {
    title: (many: number) => count(many, 'problem'),
    at: (title: string, id: string) => `${title} (${id}):`,
    fix: (value: string) => (value === '' ? 'Fix' : `Fix: ${value}`),
    suggest: (value: string) => `Use ${value}`,
    fixAll: 'Fix all',
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
    state: stateInQueue,
  },
  stage: {
    title: 'The job',
    empty: 'Run the workflow: its picture grows here.',
    views: 'Views of the job',
    tabs: { picture: 'Picture', graph: 'Graph', times: 'Times', inside: 'Look inside' },
    texts: 'Texts of the job',
    textOf: (nodeId: string) => `Node ${nodeId}`,
    preview: 'Preview of the picture',
    progress: 'Progress of the job',
    show: (filename: string) => `Show ${filename}`,
    nothing: (phase: JobPhase | undefined) =>
      phase === 'completed' ? 'The job made no files.' : phase === undefined ? '' : `${phases[phase]}.`,
    state: stateOnStage,
  },
  failure: {
    title: 'The job failed',
    unknown: 'The service gave no reason.',
    where: (nodeId: string, nodeType: string | undefined) =>
      `In node ${nodeId}${nodeType === undefined ? '' : `, ${nodeType}`}.`,
    hintOf: (type: string | undefined) => hintOf(type),
    problem: ({ nodeId, nodeType, input, what }: NodeFault): string =>
      `Node ${[nodeId, nodeType, input].filter((part) => part !== '').join(', ')}: ${what}`,
    details: 'Details for developers',
  },
  graph: {
    title: (nodes: number) => `The workflow as a graph of ${count(nodes, 'node')}`,
    node: (phase: NodeState['phase'] | 'waiting', ms: number | undefined): string => {
      const word = {
        waiting: 'not yet',
        running: 'running',
        finished: 'done',
        cached: 'as before',
        failed: 'failed',
        stopped: 'stopped',
      }[phase];
      return ms === undefined || phase === 'cached' ? word : `${word}, ${precise(ms)}`;
    },
  },
  waterfall: {
    title: 'Times of the nodes',
    node: 'Node',
    time: 'Time',
    total: (ms: number) => `${precise(ms)} in all`,
    cached: (many: number) => `${count(many, 'node')} had the result of an earlier job.`,
    empty: 'Times are known of jobs that this page has watched.',
  },
  inspect: {
    record: 'Save the recording',
    open: 'Open a recording',
    live: 'Back to the job',
    upTo: 'Moment',
    replay: 'Replay of a recording',
    play: 'Play',
    pause: 'Pause',
    empty: 'No events yet.',
    noRecording: (name: string) => `${name} is no recording of events.`,
    hidden: (many: number) => `${count(many, 'earlier event')} in the recording only.`,
    after: (ms: number) => `+${precise(Math.max(0, ms))}`,
    diagram: (events: number) => `Marble diagram of ${count(events, 'event')}`,
    code: 'The program that does the same',
    summary: ({ name, data }: Pick<JobEvent, 'name' | 'data'>): string => {
      const { status, progress, nodeId, added } = data as {
        readonly status?: { readonly phase?: unknown };
        readonly progress?: { readonly progress?: unknown };
        readonly nodeId?: unknown;
        readonly added?: readonly unknown[];
      };
      if (name === 'status') return valueText(status?.phase);
      if (name === 'progress') return `${Math.round(100 * Number(progress?.progress ?? 0))} %`;
      if (name === 'output') return `node ${valueText(nodeId)}, ${count(added?.length ?? 0, 'file')}`;
      return name === 'preview' || name === 'picture' ? `node ${valueText(nodeId)}` : '';
    },
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
    results: 'Results',
    count: (many: number, hasMore: boolean) =>
      `${many}${hasMore ? ' and more' : ''} ${many === 1 ? 'result' : 'results'}`,
    none: 'Nothing is like that.',
    choose: (filename: string) => `Choose ${filename}`,
    tools: 'What to do with it',
    previous: 'Newer',
    next: 'Older',
    copySettings: 'Copy settings',
    useAgain: 'Use these inputs again',
    noWorkflow: 'The gateway has kept no workflow of this job.',
    showGrid: 'Show its grid',
    showJob: 'Show the job',
    made: (title: string, filename: string, at: number) =>
      `${title}, ${filename}, ${new Date(at).toLocaleString()}.`,
    latest: 'Latest results',
    all: 'Show all',
    back: 'Back to the gallery',
    empty: 'What your jobs make will be here.',
    open: (title: string, filename: string) => `${title}: open ${filename}`,
    pictureOf: (title: string) => `Result of ${title}`,
    onlyDownload: (filename: string) => `${filename} can’t be shown here.`,
    download: 'Download',
  },
  filters: {
    text: 'Search',
    workflow: 'Workflow',
    kind: 'Kind',
    since: 'From',
    until: 'To',
    all: 'All',
    clear: 'Show everything',
    leaveGrid: 'Leave the grid',
  },
  selection: {
    title: 'What to do with the chosen results',
    count: (many: number) => `${many} chosen`,
    compare: 'Compare',
    compareHint: 'Two pictures can be compared.',
    zip: 'Download as zip',
    zipping: (done: number, all: number) => `${done} of ${all} …`,
    clear: 'Choose none',
  },
  remove: {
    ask: 'Delete',
    sure: (jobs: number) => (jobs === 1 ? 'Really delete the job' : `Really delete ${jobs} jobs`),
  },
  zoom: {
    how: 'Picture: plus, minus and 0 change its size',
    in: 'Larger',
    out: 'Smaller',
    scale: (scale: number) => `${Math.round(100 * scale)} %`,
  },
  compare: {
    title: 'Compare',
    slider: 'How much of the first picture is seen',
    left: (name: string) => `First picture: ${name}`,
    right: (name: string) => `Second picture: ${name}`,
  },
} as const;
