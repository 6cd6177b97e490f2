import { useEffect, useState, type ReactElement } from 'react';
import { CodeOf } from './code-of.js';
import { EventList } from './event-list.js';
import { failureOf } from '../../state/failure.js';
import { type JobEvent, jobEvents } from '../../state/job-events.js';
import { Marbles } from './marbles.js';
import { pictureEvents } from '../../state/pictures.js';
import type { Replay } from '../use-replay.js';
import { saveFile } from '../save-file.js';
import { texts } from '../../texts.js';
import { upTo, writeRecording } from '../../state/recording.js';
import { useStudio } from '../use-studio.js';
import type { UiWorkflow, Workflow } from '../../../../index.js';

interface InspectProps {
  readonly id: string | undefined;
  readonly replay: Replay;
  readonly workflow: Workflow | undefined;
  readonly ui: UiWorkflow | undefined;
}

/** What the gateway told of a job, as a diagram and as a list, recorded and replayed by file, and the code that does the same. */
const Inspect = ({ id, replay, workflow, ui }: InspectProps): ReactElement => {
  const { events: live, failure } = useEvents(id);
  const { recording, share } = replay;
  const shown = recording === undefined ? live : upTo(recording.events, share);
  const problem = replay.problem ?? failure;
  return (
    <div className="inspect">
      <div className="inspect-tools">
        <button
          type="button"
          disabled={live.length === 0}
          onClick={() =>
            saveFile(
              new Blob([writeRecording({ events: live, workflow, ui })]),
              `${id ?? 'job'}.events.jsonl`,
            )
          }
        >
          {texts.inspect.record}
        </button>
        <label className="button">
          {texts.inspect.open}
          <input
            type="file"
            className="visually-hidden"
            accept=".jsonl,application/json"
            onChange={({ target }) => {
              const [file] = target.files ?? [];
              if (file !== undefined) void replay.open(file);
            }}
          />
        </label>
      </div>
      {problem !== undefined && (
        <p role="alert" className="error">
          {problem}
        </p>
      )}
      {shown.length === 0 ? <p className="hint">{texts.inspect.empty}</p> : <Marbles events={shown} />}
      <EventList events={shown} />
      {workflow !== undefined && <CodeOf workflow={workflow} />}
    </div>
  );
};

/** The events of a job while it is looked at. */
const useEvents = (id: string | undefined) => {
  const { gateway, remote, world } = useStudio();
  const [events, setEvents] = useState<readonly JobEvent[]>([]);
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    setEvents([]);
    setFailure(undefined);
    if (id === undefined) return undefined;
    const open = (signal: AbortSignal): Promise<Response> => gateway.openEvents(id, signal);
    const now = (): number => world.scheduler.now();
    const watching = jobEvents(open, now, pictureEvents(remote, id, now)).subscribe({
      next: setEvents,
      error: (error: unknown) => setFailure(failureOf(error).message),
    });
    return () => watching.unsubscribe();
  }, [gateway, remote, world, id]);
  return { events, failure };
};

export default Inspect;
