import * as promptwire from 'promptwire';
import { type JobScript, imageFile, scriptedService } from '../../src/testing.js';
import * as rxjs from 'rxjs';
import { isObservable, takeUntil, timer } from 'rxjs';

/** Something that a stream did, and when, in milliseconds of the simulated time. */
export interface Mark {
  readonly atMs: number;
  readonly kind: 'next' | 'error' | 'complete';
  /** A letter or two for the diagram; the same for values that are alike. */
  readonly label: string;
  /** The value in a line. */
  readonly text: string;
}

/** How a program went: what the service sent, and what the reader's stream made of it. */
export interface Played {
  readonly frames: readonly Mark[];
  readonly result: readonly Mark[];
}

/** The simulated workflow: a loader, a sampler with eight steps and as many previews, and a node that saves. */
export const workflow: promptwire.Workflow = {
  4: { class_type: 'CheckpointLoaderSimple', inputs: {} },
  3: { class_type: 'KSampler', inputs: { steps: 8 } },
  9: { class_type: 'SaveImage', inputs: {} },
};

const picture = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0);
const script: JobScript = {
  waitsMs: 200,
  steps: [
    { atMs: 0, node: '4' },
    { atMs: 150, node: '3' },
    ...Array.from({ length: 8 }, (_, step) => [
      { atMs: 250 + step * 100, node: '3', value: step + 1, max: 8 },
      { atMs: 251 + step * 100, node: '3', preview: picture },
    ]).flat(),
    { atMs: 1_050, node: '9' },
    { atMs: 1_150, node: '9', output: imageFile('lighthouse.png') },
  ],
};

/** How long a program may run, in simulated time, and how many marks are kept. */
const limits = { ms: 20_000, marks: 60 };

/**
 * Runs the reader's program over a simulated job, in simulated time.
 *
 * The program is an expression that makes an Observable; it has everything that `rxjs` and `promptwire` export, and `client`,
 * `workflow`, `clock` and `scheduler`. Rejects with what is wrong with it.
 */
export const runProgram = async (code: string): Promise<Played> => {
  const service = scriptedService({ jobs: [script] });
  const client = promptwire.createClient(service);
  const { clock } = service;
  try {
    const made = evaluate(code, {
      ...rxjs,
      ...promptwire,
      ...{ client, workflow, clock, scheduler: clock.scheduler },
    });
    if (!isObservable(made)) throw new TypeError(`The program makes ${typeof made}, and no Observable.`);
    const end = timer(limits.ms, clock.scheduler);
    const frames = watch(client.frames.pipe(takeUntil(end)), clock.now, frameLabel);
    const result = watch(made.pipe(takeUntil(end)), clock.now, valueLabels());
    await clock.advance(limits.ms);
    return { frames: frames.filter(({ kind }) => kind === 'next'), result };
  } finally {
    await client.close();
  }
};

/** The value of an expression over these names. */
const evaluate = (code: string, scope: Readonly<Record<string, unknown>>): unknown => {
  // The reader's own program, in the reader's own page.
  // eslint-disable-next-line @typescript-eslint/no-implied-eval
  const program = new Function(
    ...Object.keys(scope),
    `"use strict"; return (\n${code.trim().replace(/;$/u, '')}\n);`,
  ) as (...values: readonly unknown[]) => unknown;
  return program(...Object.values(scope));
};

const watch = (
  stream: rxjs.Observable<unknown>,
  now: () => number,
  labelOf: (value: unknown) => string,
): Mark[] => {
  const marks: Mark[] = [];
  const add = (kind: Mark['kind'], label: string, text: string): void => {
    if (marks.length < limits.marks) marks.push({ atMs: now(), kind, label, text });
  };
  stream.subscribe({
    next: (value) => add('next', labelOf(value), textOf(value)),
    error: (error: unknown) => add('error', '', error instanceof Error ? error.message : String(error)),
    complete: () => add('complete', '', 'completed'),
  });
  return marks;
};

const isFrame = (value: unknown): value is promptwire.Frame =>
  typeof value === 'object' && value !== null && '_tag' in value && frameTags.has(value._tag);

const frameTags: ReadonlySet<unknown> = new Set<promptwire.Frame['_tag']>([
  ...(['Event', 'Preview', 'Text', 'Unknown', 'Malformed'] as const),
]);

/** What a frame is, in two letters. */
const frameLabel = (value: unknown): string => {
  if (!isFrame(value)) return '?';
  if (value._tag === 'Event') return shortNames.get(value.type) ?? value.type.slice(0, 2);
  return value._tag === 'Preview' ? 'pv' : value._tag.slice(0, 2).toLowerCase();
};

const shortNames: ReadonlyMap<string, string> = new Map([
  ['execution_start', 'go'],
  ['execution_success', 'ok'],
  ['executing', 'ex'],
  ['executed', 'out'],
  ['progress', 'p'],
  ['status', 'st'],
]);

/** Letters for the values of the result: short texts and numbers stand for themselves. */
const valueLabels = (): ((value: unknown) => string) => {
  const letters = new Map<string, string>();
  return (value) => {
    if (typeof value === 'number') return String(value).slice(0, 4);
    if (isFrame(value)) return frameLabel(value);
    const text = textOf(value);
    const letter = letters.get(text) ?? String.fromCharCode(65 + (letters.size % 26));
    letters.set(text, letter);
    return letter;
  };
};

/** A value as a line: a state by its phase and progress, bytes by their size. */
const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  const text = JSON.stringify(value, (_, member: unknown) =>
    member instanceof Uint8Array ? `${member.length} bytes` : member,
  ) as string | undefined;
  return (text ?? String(value)).slice(0, 160);
};
