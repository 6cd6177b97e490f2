// A page that submits, shows and stops jobs. Its address names the job, so that a reload goes on with it.
import { catchError, concat, defer, EMPTY, map, type Observable } from 'rxjs';
import { createRemote, isTerminal, objectUrls, toStore } from 'promptwire/remote';
import { createRoot } from 'react-dom/client';
import { useMemo, useState, useSyncExternalStore } from 'react';

const remote = createRemote({ account: 'visitor' });
const result = (id: string) => defer(() => remote.outputs(id)).pipe(map(([output]) => output?.url));
const pictures = (id: string) => concat(remote.previews(id).pipe(objectUrls()), result(id));

const useLatest = <A,>(watch: (id: string) => Observable<A>, id: string, tell: (error: Error) => void) => {
  const store = useMemo(() => {
    const watched = id === '' ? EMPTY : watch(id);
    return toStore(watched.pipe(catchError((error: Error) => (tell(error), EMPTY))), undefined);
  }, [watch, id, tell]);
  return useSyncExternalStore<A | undefined>(store.subscribe, store.getSnapshot);
};

const Page = () => {
  const [id, setId] = useState(location.hash.slice(1));
  const [problem, tell] = useState<Error>();
  const [state, picture] = [useLatest(remote.follow, id, tell), useLatest(pictures, id, tell)];
  const submit = (form: FormData) => {
    tell(undefined);
    const job = remote.runTemplate('picture', Object.fromEntries(form));
    job.subscribe({ next: ({ promptId }) => setId((location.hash = promptId)), error: tell });
  };
  return (
    <form action={submit}>
      <input name="prompt" /> <button>Paint</button> <progress value={state?.progress ?? 0} /> {state?.phase}{' '}
      {state && !isTerminal(state.phase) && (
        <button formAction={() => void remote.cancel(id).catch(tell)}>Stop</button>
      )}
      <p>{picture !== undefined && <img src={picture} />}</p>
      <p role="alert">{problem?.message ?? state?.failure?.exceptionMessage}</p>
    </form>
  );
};
createRoot(document.querySelector('main')!).render(<Page />);
