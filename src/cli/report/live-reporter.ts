import { asyncScheduler, interval, merge, type SchedulerLike, Subject, throttleTime } from 'rxjs';
import type { CliEvent, Reporter } from './cli-event.js';
import type { CliIo } from '../cli-io.js';
import { encodePicture, type PictureKind } from '../picture/encode-picture.js';
import { eventLines } from './event-lines.js';
import { type BatchJob, batchView } from '../terminal/batch-view.js';
import { serversView } from '../terminal/servers-view.js';
import { count, fileSize } from '../terminal/format.js';
import { jobView } from '../terminal/job-view.js';
import { printEvent, valueLength } from './print-event.js';
import { type Line, paint } from '../terminal/line.js';
import { openLiveBlock } from '../terminal/live-block.js';

/** Options of {@link liveReporter}. */
export interface LiveReporterOptions {
  readonly colour: boolean;
  readonly pictures: PictureKind;
  /** As for `paint`. */
  readonly redact?: ((text: string) => string) | undefined;
  /** Default: real time. */
  readonly scheduler?: SchedulerLike;
}

/**
 * Redraws a block of lines at the bottom of a terminal: the job's bars and the latest preview picture, at most 15 times a
 * second and at least once a second. Permanent lines are written above it.
 */
export const liveReporter = (io: CliIo, options: LiveReporterOptions): Reporter => {
  const { colour, pictures, redact, scheduler = asyncScheduler } = options;
  const block = openLiveBlock(io, pictures === 'kitty');
  const changed = new Subject<void>();
  let latest: Shown<Drawn> | undefined;
  const jobs = new Map<number, BatchJob>();
  let image: Uint8Array | undefined;
  let away = false;

  const draw = (): void => {
    if (latest === undefined) return;
    const room = { columns: io.columns() - 2, rows: pictureRows(io.rows()) };
    const picture = image && room.rows > 0 ? encodePicture(pictures, image, room) : undefined;
    image = undefined;
    const columns = io.columns() - 1;
    const lines = viewLines(latest, { io, away, jobs }).map((line) =>
      paint(line, { colour, columns, redact }),
    );
    block.draw(lines, picture);
  };
  const drawing = merge(changed, interval(1000, scheduler))
    .pipe(throttleTime(66, scheduler, { leading: true, trailing: true }))
    .subscribe({ next: draw, error: block.close });

  return {
    report: (event) => {
      if (event.kind === 'batch') jobs.set(event.index, batchJob(event));
      if (event.kind === 'preview') image = event.preview.image;
      if (event.kind === 'connection') away = event.state !== 'back';
      latest = drawnAfter(latest, event);
      // A table is drawn in place, until the last one.
      const lines = event.kind === 'servers' && latest === event ? {} : eventLines(event, valueLength(io));
      if (event.kind === 'end' || Object.keys(lines).length > 0) block.erase();
      printEvent(io, lines, { colour, redact });
      if (latest !== undefined) changed.next();
    },
    close: () => {
      drawing.unsubscribe();
      block.close();
    },
  };
};

/** What is drawn after an event. */
const drawnAfter = (latest: Shown<Drawn> | undefined, event: CliEvent): Shown<Drawn> | undefined => {
  switch (event.kind) {
    case 'state':
    case 'batch':
      return event;
    case 'servers':
      return event.isLast === true ? undefined : event;
    case 'download':
      // Files of one of many jobs are saved while the others run.
      return latest?.kind === 'batch' ? latest : event;
    case 'passed':
      return latest?.kind === 'state' ? { ...latest, shown: event.shown } : latest;
    case 'connection':
      return latest?.kind === 'state' ? withoutEstimate(latest) : latest;
    case 'end':
    case 'cancelling':
      return undefined;
    default:
      return latest;
  }
};

const batchJob = ({ file, state }: Shown<'batch'>): BatchJob => ({
  file,
  phase: state.phase,
  progress: state.progress,
  server: state.server,
});

// At most a third of the screen, and none on a small one.
const pictureRows = (rows: number): number => (rows < 15 ? 0 : Math.min(14, Math.floor(rows / 3)));

// The estimate belongs to the states before the connection was lost.
const withoutEstimate = (event: Shown<'state'>): Shown<'state'> => {
  if (event.shown === undefined) return event;
  const { value, stage } = event.shown;
  return { ...event, shown: { value, stage } };
};

type Drawn = 'state' | 'download' | 'batch' | 'servers';

type Shown<Kind extends Drawn> = Extract<CliEvent, { kind: Kind }>;

const viewLines = (
  event: Shown<Drawn>,
  {
    io,
    away,
    jobs,
  }: { readonly io: CliIo; readonly away: boolean; readonly jobs: ReadonlyMap<number, BatchJob> },
): readonly Line[] => {
  if (event.kind === 'servers') return serversView(event.servers);
  if (event.kind === 'batch')
    return batchView([...jobs.values()], {
      of: event.of,
      columns: io.columns() - 1,
      maxJobs: Math.max(1, io.rows() - 3),
    });
  if (event.kind === 'download') {
    const { files, total, receivedBytes } = event.state;
    return [
      [
        { text: 'Downloading', style: 'bold' },
        ` ${files.length}/${count(total, 'file')}, ${fileSize(receivedBytes)}`,
      ],
    ];
  }
  const { state, titles, shown } = event;
  const maxNodes = Math.max(1, Math.min(8, io.rows() - pictureRows(io.rows()) - 3));
  const columns = io.columns() - 1;
  return jobView({ state, titles, shown, away, elapsedMs: io.uptimeMs(), columns, maxNodes });
};
