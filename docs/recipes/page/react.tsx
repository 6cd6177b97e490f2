// A page that submits, shows and stops jobs, and lists what was made. Its address names the job, so that a reload goes on with it.
import { createRemote, isTerminal } from 'promptwire/remote';
import { createRoot } from 'react-dom/client';
import { StrictMode, useEffect, useState } from 'react';
import { useConnection, useJob, useJobs, useOutputs, usePreview, useRun } from 'promptwire/react';

const remote = createRemote({ account: 'visitor' });

const Thumbnail = ({ id, show }: { readonly id: string; readonly show: (id: string) => void }) => {
  const { outputs: [output] = [], error } = useOutputs(remote, id);
  const image = output && <img src={output.url} alt={output.filename} width="64" />;
  return (
    <button type="button" onClick={() => show(id)}>
      {error?.message ?? image ?? 'loading'}
    </button>
  );
};

const Page = () => {
  const [id, setId] = useState(location.hash.slice(1));
  const show = (next: string) => setId((location.hash = next));
  const [run, job, connection] = [useRun(remote), useJob(remote, id), useConnection(remote)];
  const [preview, { outputs }] = [usePreview(remote, id), useOutputs(remote, id)];
  const { jobs, error: unlisted, refresh } = useJobs(remote, { phases: ['completed'], limit: 6 });
  const { state, cancel } = run.isRunning ? run : job;
  useEffect(() => {
    if (job.state?.phase === 'completed') refresh();
  }, [job.state?.phase, refresh]);
  const submit = async (form: FormData) => show((await run.start('picture', Object.fromEntries(form))) ?? id);
  const picture = outputs?.[0]?.url ?? preview.url;
  const problem = run.error ?? job.error ?? unlisted;
  return (
    <form action={(form) => void submit(form)}>
      <input name="prompt" /> <button>Paint</button> <progress value={state?.progress ?? 0} /> {state?.phase}{' '}
      {state && !isTerminal(state.phase) && <button formAction={() => void cancel()}>Stop</button>}
      <p>{picture !== undefined && <img src={picture} alt="" />}</p>
      <p role="alert">{problem?.message ?? state?.failure?.exceptionMessage}</p>
      <p role="status">{connection._tag === 'waiting' && connection.reason}</p>
      {jobs.map(({ id: made = '' }) => (
        <Thumbnail key={made} id={made} show={show} />
      ))}
    </form>
  );
};
createRoot(document.querySelector('main')!).render(
  <StrictMode>
    <Page />
  </StrictMode>,
);
