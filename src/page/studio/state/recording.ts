import { applyJobEvent } from '../../../core/events/apply-job-event.js';
import type { JobEvent } from './job-events.js';
import type { JobState, UiWorkflow, Workflow } from '../../../index.js';
import { parseExactJson, writeExactJson } from '../../../core/protocol/json/exact-json.js';
import { readJobEvent } from '../../../core/events/read-job-event.js';
import { stepTimeline, type Timeline } from './timeline.js';

/** The events of a job as they came, and what it is of. */
export interface Recording {
  readonly events: readonly JobEvent[];
  readonly workflow?: Workflow | undefined;
  readonly ui?: UiWorkflow | undefined;
}

/** What a page showed at a moment of a recording. */
export interface Moment {
  readonly state: JobState | undefined;
  readonly timeline: Timeline | undefined;
  /** The latest preview, as a `data:` address. */
  readonly picture: string | undefined;
}

/** Writes a recording: what it is of in the first line, then an event a line. */
export const writeRecording = ({ events, workflow, ui }: Recording): string =>
  [{ name: 'recording', at: events[0]?.at ?? 0, data: { workflow, ui } }, ...events]
    .map((line) => `${writeExactJson(line)}\n`)
    .join('');

/** Reads a recording, also one without a first line; undefined for other text, or where it tells of no job. */
export const readRecording = (text: string): Recording | undefined => {
  try {
    const lines = text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => parseExactJson(line) as Partial<JobEvent>);
    const isRecording = lines.every(
      ({ name, at, data }) => typeof name === 'string' && typeof at === 'number' && typeof data === 'object',
    );
    if (!isRecording) return undefined;
    const all = lines as readonly JobEvent[];
    const { workflow, ui } = (all[0]?.name === 'recording' ? all[0].data : {}) as Omit<Recording, 'events'>;
    const recording = { events: all.filter(({ name }) => name !== 'recording'), workflow, ui };
    return momentOf(recording, 1).state === undefined ? undefined : recording;
  } catch {
    return undefined;
  }
};

/** The events of a recording up to a share of its time. */
export const upTo = (events: readonly JobEvent[], share: number): readonly JobEvent[] => {
  const [first, last] = [events[0]?.at ?? 0, events.at(-1)?.at ?? 0];
  return events.filter(({ at }) => at <= first + (last - first) * share);
};

/** Folds the events up to a share of the time, as the page has folded them when they came. */
export const momentOf = ({ events }: Recording, share: number): Moment =>
  upTo(events, share).reduce<Moment>(stepMoment, {
    state: undefined,
    timeline: undefined,
    picture: undefined,
  });

const stepMoment = (moment: Moment, { name, at, data }: JobEvent): Moment => {
  if (name === 'picture') return { ...moment, picture: pictureIn(data['picture']) ?? moment.picture };
  const event = data as unknown as Parameters<typeof readJobEvent>[0];
  const state =
    event.type === 'submitted'
      ? readJobEvent(event).state
      : moment.state && folds.has(event.type)
        ? applyJobEvent(moment.state, readJobEvent(event))
        : moment.state;
  return state === undefined || state === moment.state
    ? moment
    : { ...moment, state, timeline: stepTimeline(moment.timeline, state, at) };
};

const folds: ReadonlySet<string> = new Set(['status', 'output', 'progress']);

/** A file may hold anything: a picture is one that holds itself. */
const pictureIn = (value: unknown): string | undefined =>
  typeof value === 'string' && /^data:image\/(?:jpeg|png|webp);base64,/u.test(value) ? value : undefined;
