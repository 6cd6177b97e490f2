// A page that submits, shows and stops jobs. Its address names the job, so that a reload goes on with it.
import { concat, defer, EMPTY, map, type Observable } from 'rxjs';
import { createRemote, isTerminal, objectUrls, toStore } from 'promptwire/remote';
import { createRoot } from 'react-dom/client';
import { useMemo, useState, useSyncExternalStore } from 'react';

const remote = createRemote({ account: 'visitor' });
const result = (id: string) => defer(() => remote.outputs(id)).pipe(map(([output]) => output?.url));
const pictures = (id: string) => concat(remote.previews(id).pipe(objectUrls()), result(id));

const useLatest = <A,>(watch: (id: string) => Observable<A>, id: string) => {
  const store = useMemo(() => toStore(id === '' ? EMPTY : watch(id), undefined), [watch, id]);
  return useSyncExternalStore<A | undefined>(store.subscribe, store.getSnapshot);
};

const Page = () => {
  const [id, setId] = useState(location.hash.slice(1));
  const [state, picture] = [useLatest(remote.follow, id), useLatest(pictures, id)];
  const submit = (form: FormData) => {
    const job = remote.runTemplate('picture', Object.fromEntries(form));
    job.subscribe(({ promptId }) => setId((location.hash = promptId)));
  };
  return (
    <form action={submit}>
      <input name="prompt" /> <button>Paint</button> <progress value={state?.progress ?? 0} /> {state?.phase}{' '}
      {state && !isTerminal(state.phase) && <button formAction={() => remote.cancel(id)}>Stop</button>}
      <p>{picture !== undefined && <img src={picture} />}</p>
    </form>
  );
};
createRoot(document.querySelector('main')!).render(<Page />);
