import { useEffect, useState, type ReactElement } from 'react';
import { CodeOf } from './code-of.js';
import { EventList } from './event-list.js';
import { failureOf } from '../../state/failure.js';
import { type JobEvent, jobEvents, readRecording, upTo, writeRecording } from '../../state/job-events.js';
import { Marbles } from './marbles.js';
import { saveFile } from '../save-file.js';
import { texts } from '../../texts.js';
import { useStudio } from '../use-studio.js';
import type { Workflow } from '../../../index.js';

interface InspectProps {
  readonly id: string | undefined;
  readonly workflow: Workflow | undefined;
}

/** What the gateway told of a job, as a diagram and as a list, recorded and replayed by file, and the code that does the same. */
const Inspect = ({ id, workflow }: InspectProps): ReactElement => {
  const { events: live, failure } = useEvents(id);
  const [recorded, setRecorded] = useState<readonly JobEvent[]>();
  const [share, setShare] = useState(1);
  const [problem, setProblem] = useState<string>();
  const shown = recorded === undefined ? live : upTo(recorded, share);
  const open = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    const events = readRecording(await file.text());
    setProblem(events === undefined ? texts.inspect.noRecording(file.name) : undefined);
    setRecorded(events);
    setShare(1);
  };
  return (
    <div className="inspect">
      <div className="inspect-tools">
        <button
          type="button"
          disabled={live.length === 0}
          onClick={() => saveFile(new Blob([writeRecording(live)]), `${id ?? 'job'}.events.jsonl`)}
        >
          {texts.inspect.record}
        </button>
        <label className="button">
          {texts.inspect.open}
          <input
            type="file"
            className="visually-hidden"
            accept=".jsonl,application/json"
            onChange={({ target }) => void open(target.files?.[0])}
          />
        </label>
        {recorded !== undefined && (
          <>
            <label className="inspect-share">
              {texts.inspect.upTo}
              <input
                type="range"
                min={0}
                max={1}
                step={0.01}
                value={share}
                onChange={({ target }) => setShare(Number(target.value))}
              />
            </label>
            <button type="button" className="quiet" onClick={() => setRecorded(undefined)}>
              {texts.inspect.live}
            </button>
          </>
        )}
      </div>
      {(problem ?? failure) !== undefined && (
        <p role="alert" className="error">
          {problem ?? failure}
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
  const { gateway, world } = useStudio();
  const [events, setEvents] = useState<readonly JobEvent[]>([]);
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    setEvents([]);
    setFailure(undefined);
    if (id === undefined) return undefined;
    const open = (signal: AbortSignal): Promise<Response> => gateway.openEvents(id, signal);
    const watching = jobEvents(open, () => world.scheduler.now()).subscribe({
      next: setEvents,
      error: (error: unknown) => setFailure(failureOf(error).message),
    });
    return () => watching.unsubscribe();
  }, [gateway, world, id]);
  return { events, failure };
};

export default Inspect;
