import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { BehaviorSubject, Observable, of, ReplaySubject, Subject, throwError } from 'rxjs';
import { describeWith, findInstalled } from '../helpers/describe-with.js';
import { type Element, type LoadedReact, loadReact } from './loaded-react.js';
import { initialJobState, type JobState, serviceError } from '../../src/index.js';
import type { Preview } from '../../src/core/protocol/frames/frame.js';
import type { RemoteJobPage } from '../../src/page/remote/list.js';
import type { RemoteOutput } from '../../src/page/remote/outputs.js';
import * as E from '../../src/core/protocol/either.js';

const stateOf = (promptId: string, phase: JobState['phase'], progress = 0): JobState => ({
  ...initialJobState({ promptId, phase }),
  progress,
});

const words = ({
  state,
  error,
}: {
  readonly state?: JobState | undefined;
  readonly error?: Error | undefined;
}) => error?.name ?? (state === undefined ? 'nothing' : `${state.promptId} ${state.phase} ${state.progress}`);

/** A source whose jobs the test plays, with what it was asked. */
const playedSource = () => {
  const jobs = new Map<string, Subject<JobState>>();
  const open: string[] = [];
  const asked: string[] = [];
  const jobOf = (id: string): Subject<JobState> => {
    const job = jobs.get(id) ?? new ReplaySubject<JobState>(1);
    jobs.set(id, job);
    return job;
  };
  const submitted: Subject<JobState>[] = [];
  const tracked = (what: string, states: Observable<JobState>) =>
    new Observable<JobState>((subscriber) => {
      asked.push(what);
      open.push(what);
      const watching = states.subscribe(subscriber);
      return () => {
        watching.unsubscribe();
        open.splice(open.indexOf(what), 1);
      };
    });
  return {
    open,
    asked,
    jobOf,
    submitted,
    source: {
      follow: (id: string) => tracked(`follow ${id}`, jobOf(id)),
      cancel: (id: string): Promise<unknown> => {
        asked.push(`cancel ${id}`);
        return Promise.resolve();
      },
      run: (workflow: object): Observable<JobState> => {
        const job = new ReplaySubject<JobState>(1);
        job.next(stateOf('', 'submitting'));
        return new Observable((subscriber) => {
          submitted.push(job);
          return tracked(`run ${JSON.stringify(workflow)}`, job).subscribe(subscriber);
        });
      },
    },
  };
};

const versions: readonly (readonly [name: string, folder: string])[] = [
  ['React 18', 'react-18/node_modules'],
  ['React 19', 'node_modules'],
];

describeWith('happy-dom', findInstalled('happy-dom/package.json'), (manifest) => {
  const packages = dirname(dirname(manifest));

  describe.each(versions)('%s', (version, folder) => {
    let react: LoadedReact;
    beforeAll(async () => {
      react = await loadReact(join(dirname(packages), folder), packages);
    });

    const failures = () => {
      const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
      return () => said.mock.calls.map(([text]) => String(text));
    };

    /** Renders an element in strict mode, and takes it off at the end of the test. */
    const shown = async (element: Element) => {
      const place = react.place();
      const root = react.createRoot(place);
      const render = (next: unknown) => root.render(react.createElement(react.StrictMode, null, next));
      const show = (next: unknown) => react.act(() => render(next));
      onTestFinished(() => react.act(() => root.unmount()));
      await show(element);
      return { place, show, render };
    };

    describe('useJob', () => {
      it('subscribes once for a job that several components show, and leaves with the last of them', async () => {
        const { source, open, asked, jobOf } = playedSource();
        const Job = ({ id }: { readonly id: string }) => words(react.hooks.useJob(source, id));
        const twice = (...keys: readonly string[]) =>
          react.createElement(
            'section',
            null,
            keys.map((key) => react.createElement(Job, { key, id: 'a' } as { readonly id: string })),
          );
        const { place, show } = await shown(twice('one', 'two'));
        expect(place.textContent).toBe('nothingnothing');
        await react.act(() => jobOf('a').next(stateOf('a', 'in_progress', 0.5)));
        expect(place.textContent).toBe('a in_progress 0.5a in_progress 0.5');
        await show(twice('two', 'three'));
        expect(place.textContent).toBe('a in_progress 0.5a in_progress 0.5');
        expect(asked).toEqual(['follow a']);
        await show(null);
        expect(open).toEqual([]);
      });

      it('makes no new subscription when the component renders again', async () => {
        const { source, asked } = playedSource();
        const Job = ({ times }: { readonly times: number }) =>
          `${times} ${words(react.hooks.useJob(source, 'a'))}`;
        const { place, show } = await shown(react.createElement(Job, { times: 1 }));
        for (const times of [2, 3]) await show(react.createElement(Job, { times }));
        expect(place.textContent).toBe('3 nothing');
        expect(asked).toEqual(['follow a']);
      });

      it('shows nothing of the job before under another id, and none without an id', async () => {
        const { source, open, jobOf } = playedSource();
        const Job = ({ id }: { readonly id: string | undefined }) => words(react.hooks.useJob(source, id));
        const { place, show } = await shown(react.createElement(Job, { id: 'a' }));
        await react.act(() => jobOf('a').next(stateOf('a', 'in_progress')));
        await show(react.createElement(Job, { id: 'b' }));
        expect(place.textContent).toBe('nothing');
        expect(open).toEqual(['follow b']);
        for (const id of ['', undefined]) {
          await show(react.createElement(Job, { id }));
          expect(open).toEqual([]);
        }
      });

      it('gives a stale id as a value, keeps the last state beside an error, and follows again by retry', async () => {
        const { source, asked, jobOf } = playedSource();
        let retry = (): void => undefined;
        const Job = () => {
          const { state, error, ...view } = react.hooks.useJob(source, 'a');
          retry = view.retry;
          return `${words({ state })}, ${error?._tag}`;
        };
        const { place } = await shown(react.createElement(Job));
        await react.act(() => jobOf('a').next(stateOf('a', 'pending')));
        const broken = jobOf('a');
        await react.act(() => broken.error(serviceError('NotFound', { promptId: 'a' })));
        expect(place.textContent).toBe('a pending 0, NotFound');
        source.follow = () => (asked.push('again'), of(stateOf('a', 'completed', 1)));
        await react.act(() => retry());
        expect(place.textContent).toBe('a completed 1, undefined');
        expect(asked).toEqual(['follow a', 'again']);
      });

      it('throws what is no ServiceError to the error boundary', async () => {
        failures();
        const source = { follow: () => throwError(() => new TypeError('a bug')), cancel: vi.fn() };
        const Job = () => words(react.hooks.useJob(source, 'a'));
        await expect(shown(react.createElement(Job))).rejects.toThrow('a bug');
      });

      it('cancels by a promise or a Call, and gives the refusal as a value', async () => {
        const { source, asked } = playedSource();
        const answers: (() => ReturnType<typeof source.cancel>)[] = [
          () => Promise.resolve(false),
          () => Promise.reject(serviceError('CancelNotApplied', { phase: 'in_progress' })),
          () => (() => Promise.resolve(E.right(undefined))) as never,
          () => (() => Promise.resolve(E.left(serviceError('Closed', {})))) as never,
        ];
        source.cancel = (id) => (asked.push(`cancel ${id}`), answers.shift()!());
        let cancel = (): Promise<boolean> => Promise.resolve(false);
        const Job = () => {
          const view = react.hooks.useJob(source, 'a');
          cancel = view.cancel;
          return words(view);
        };
        const { place } = await shown(react.createElement(Job));
        const seen: unknown[] = [];
        for (let time = 0; time < 4; time += 1) {
          await react.act(async () => seen.push(await cancel()));
          seen.push(place.textContent);
        }
        expect(seen).toEqual([false, 'nothing', false, 'CancelNotApplied', true, 'nothing', false, 'Closed']);
        expect(asked).toEqual(['follow a', 'cancel a', 'cancel a', 'cancel a', 'cancel a']);
      });

      it('follows a job that was submitted', async () => {
        const states = new BehaviorSubject(stateOf('a', 'pending'));
        const job = { promptId: 'a', states, frames: new Subject<never>(), cancel: vi.fn() };
        const Job = () => words(react.hooks.useJob(job));
        const { place } = await shown(react.createElement(Job));
        await react.act(() => states.next(stateOf('a', 'completed', 1)));
        expect(place.textContent).toBe('a completed 1');
      });

      it('does not tear: components that are put on show one moment, also where a state comes in the middle of their render', async () => {
        const { source, jobOf } = playedSource();
        const commits: (readonly string[])[] = [];
        const rendered: string[] = [];
        let comes = (): void => undefined;
        const Job = ({ at }: { readonly at: number }) => {
          const text = words(react.hooks.useJob(source, 'a'));
          rendered[at] = text;
          react.useLayoutEffect(() => void commits.push([...rendered]));
          if (at === 1) comes();
          return text;
        };
        const first = () => react.createElement(() => words(react.hooks.useJob(source, 'a')));
        const { place, render } = await shown(first());
        await react.act(() => jobOf('a').next(stateOf('a', 'in_progress', 0.1)));
        comes = () => {
          comes = () => undefined;
          jobOf('a').next(stateOf('a', 'in_progress', 0.2));
        };
        const said = failures();
        const all = [0, 1, 2].map((at) =>
          react.createElement(Job, { at, key: at } as { readonly at: number }),
        );
        // `act` would render in one piece, in which React looks for no such change.
        await react.concurrently(async () => {
          react.startTransition(() => render(react.createElement('section', null, all)));
          await expect.poll(() => place.textContent).toBe('a in_progress 0.2'.repeat(3));
        });
        expect(said().join()).toMatch(/Cannot update a component/u);
        expect(commits.length).toBeGreaterThan(0);
        for (const commit of commits) expect(new Set(commit).size).toBe(1);
      });
    });

    describe('useJobs', () => {
      it('follows jobs by their ids, each once, also where the list of ids grows', async () => {
        const { source, asked, open, jobOf } = playedSource();
        const Jobs = ({ ids }: { readonly ids: readonly string[] }) =>
          react.hooks
            .useJobs(source, [...ids])
            .jobs.map(words)
            .join();
        const { place, show } = await shown(react.createElement(Jobs, { ids: ['a', 'b'] }));
        await react.act(() => jobOf('b').next(stateOf('b', 'pending')));
        await show(react.createElement(Jobs, { ids: ['c', 'b', 'a'] }));
        expect(place.textContent).toBe('nothing,b pending 0,nothing');
        expect(asked).toEqual(['follow a', 'follow b', 'follow c']);
        await show(null);
        expect(open).toEqual([]);
      });

      it('lists the jobs of a remote, follows those that run, and lists anew by refresh', async () => {
        const { source, asked, jobOf } = playedSource();
        const pages: (readonly JobState[])[] = [
          [stateOf('b', 'in_progress'), stateOf('a', 'completed', 1)],
          [stateOf('c', 'pending'), stateOf('b', 'in_progress'), stateOf('a', 'completed', 1)],
        ];
        const list = (options: object = {}): Promise<RemoteJobPage> => {
          asked.push(`list ${JSON.stringify(options)}`);
          const states = pages.shift();
          if (states === undefined) return Promise.reject(serviceError('Forbidden', {}));
          const jobs = states.map((state) => ({ id: state.promptId, state, createdAt: 0, expiresAt: 1 }));
          return Promise.resolve({ jobs });
        };
        const remote = { ...source, list };
        let refresh = (): void => undefined;
        const Jobs = () => {
          const view = react.hooks.useJobs(remote, { limit: 3 });
          refresh = view.refresh;
          return `${view.jobs.map(words).join()} ${view.error?._tag}`;
        };
        const { place } = await shown(react.createElement(Jobs));
        expect(place.textContent).toBe('b in_progress 0,a completed 1 undefined');
        await react.act(() => jobOf('b').next(stateOf('b', 'in_progress', 0.5)));
        expect(place.textContent).toBe('b in_progress 0.5,a completed 1 undefined');
        await react.act(() => refresh());
        expect(place.textContent).toBe('c pending 0,b in_progress 0.5,a completed 1 undefined');
        await react.act(() => refresh());
        expect(place.textContent).toBe('c pending 0,b in_progress 0.5,a completed 1 Forbidden');
        const listed = 'list {"limit":3}';
        expect(asked).toEqual([listed, 'follow b', listed, 'follow c', listed]);
      });
    });

    describe('usePreview', () => {
      const urls = () => {
        const held = new Set<string>();
        let count = 0;
        vi.spyOn(URL, 'createObjectURL').mockImplementation(() => {
          const url = `blob:${(count += 1)}`;
          held.add(url);
          return url;
        });
        vi.spyOn(URL, 'revokeObjectURL').mockImplementation((url) => void held.delete(url));
        return held;
      };
      const preview = (promptId: string, first: number): Preview => ({
        ...{ _tag: 'Preview', mediaType: 'image/png', promptId, nodeId: '1' },
        image: new Uint8Array([first]),
      });

      it('shows the latest preview of a remote, keeps it after the end, and releases each address', async () => {
        const held = urls();
        const { source } = playedSource();
        const pictures = new Subject<Preview>();
        const remote = { ...source, previews: () => pictures };
        const Picture = () => react.hooks.usePreview(remote, 'a').url ?? 'none';
        const both = react.createElement(
          'section',
          null,
          react.createElement(Picture),
          react.createElement(Picture),
        );
        const { place, show } = await shown(both);
        expect(place.textContent).toBe('nonenone');
        for (const first of [1, 2]) await react.act(() => pictures.next(preview('a', first)));
        await react.act(() => pictures.complete());
        expect(place.textContent).toBe('blob:2blob:2');
        expect([...held]).toEqual(['blob:2']);
        await show(null);
        expect([...held]).toEqual([]);
      });

      it('takes the frames of a client, those of the job, up to its end', async () => {
        const held = urls();
        const { source, jobOf, open } = playedSource();
        const frames = new Subject<Preview>();
        const client = { ...source, frames };
        const Picture = () => {
          const { url, error } = react.hooks.usePreview(client, 'a');
          return error?._tag ?? url ?? 'none';
        };
        const { place, show } = await shown(react.createElement(Picture));
        await expect.poll(() => frames.observed).toBe(true);
        for (const id of ['b', 'a', 'b']) await react.act(() => frames.next(preview(id, 1)));
        expect(place.textContent).toBe('blob:1');
        await react.act(() => {
          jobOf('a').next(stateOf('a', 'completed', 1));
          jobOf('a').complete();
        });
        expect([frames.observed, open, held.size]).toEqual([false, [], 1]);
        await show(null);
        expect(held.size).toBe(0);
      });

      it('gives a stale id as a value', async () => {
        urls();
        const { source, jobOf } = playedSource();
        const client = { ...source, frames: new Subject<never>() };
        const Picture = () => react.hooks.usePreview(client, 'a').error?._tag ?? 'none';
        const { place } = await shown(react.createElement(Picture));
        await react.act(() => jobOf('a').error(serviceError('NotFound', { promptId: 'a' })));
        expect(place.textContent).toBe('NotFound');
      });
    });

    describe('useRun', () => {
      const setUp = async (begins?: (start: (workflow: object) => unknown) => void) => {
        const played = playedSource();
        const run = {
          current: undefined as ReturnType<typeof react.hooks.useRun<typeof played.source>> | undefined,
        };
        const Run = () => {
          const view = react.hooks.useRun(played.source);
          run.current = view;
          react.useEffect(() => begins?.(view.start), [view.start]);
          return `${words(view)} ${view.id} ${view.isRunning}`;
        };
        const { place, show } = await shown(react.createElement(Run));
        return { ...played, place, show, run: () => run.current! };
      };

      it('submits by start, and resolves with the id of the job', async () => {
        const { run, place, submitted, asked } = await setUp();
        expect(place.textContent).toBe('nothing undefined false');
        let id: Promise<string | undefined> | undefined;
        await react.act(() => void (id = run().start({ a: 1 })));
        expect(place.textContent).toBe(' submitting 0 undefined true');
        await react.act(() => submitted[0]!.next(stateOf('j', 'in_progress', 0.5)));
        expect(await id).toBe('j');
        expect(place.textContent).toBe('j in_progress 0.5 j true');
        await react.act(() => submitted[0]!.next(stateOf('j', 'completed', 1)));
        await react.act(() => submitted[0]!.complete());
        expect(place.textContent).toBe('j completed 1 j false');
        expect(asked).toEqual(['run {"a":1}']);
      });

      it('is one submission where an effect starts it, which strict mode runs twice, and its job stays', async () => {
        const ids: unknown[] = [];
        const { place, submitted, asked, open } = await setUp((start) => void ids.push(start({ a: 1 })));
        await react.act(() => submitted[0]!.next(stateOf('j', 'in_progress')));
        expect(asked).toEqual(['run {"a":1}']);
        expect(open).toEqual(asked);
        expect(await Promise.all(ids)).toEqual(['j', 'j']);
        expect(place.textContent).toBe('j in_progress 0 j true');
      });

      it('submits again for each further call, and shows the latest job', async () => {
        const { run, place, submitted, asked, open } = await setUp();
        await react.act(() => void run().start({ a: 1 }));
        await react.act(() => void run().start({ a: 1 }));
        expect(asked).toHaveLength(2);
        expect(open).toHaveLength(1);
        await react.act(() => submitted[0]!.next(stateOf('i', 'pending')));
        await react.act(() => submitted[1]!.next(stateOf('j', 'pending')));
        expect(place.textContent).toBe('j pending 0 j true');
      });

      it('gives a refusal as a value, and submits again by retry', async () => {
        const { run, place, submitted, asked } = await setUp();
        let id: Promise<string | undefined> | undefined;
        await react.act(() => void (id = run().start({ a: 1 })));
        await react.act(() => submitted[0]!.error(serviceError('InsufficientCredits', {})));
        expect(await id).toBeUndefined();
        expect(place.textContent).toBe('InsufficientCredits undefined false');
        await react.act(() => void run().retry());
        await react.act(() => void run().retry());
        expect(place.textContent).toBe(' submitting 0 undefined true');
        expect(asked).toEqual(['run {"a":1}', 'run {"a":1}']);
      });

      it('cancels a job as soon as its id is known, and gives the refusal as a value', async () => {
        const { run, place, submitted, source, asked } = await setUp();
        await react.act(async () => expect(await run().cancel()).toBe(false));
        await react.act(() => void run().start({}));
        let isCancelled: Promise<boolean> | undefined;
        await react.act(() => void (isCancelled = run().cancel()));
        expect(asked).toEqual(['run {}']);
        await react.act(() => submitted[0]!.next(stateOf('j', 'pending')));
        expect(await isCancelled).toBe(true);
        expect(asked).toEqual(['run {}', 'cancel j']);
        source.cancel = () => Promise.reject(serviceError('CancelNotApplied', { phase: 'in_progress' }));
        await react.act(async () => expect(await run().cancel()).toBe(false));
        expect(place.textContent).toBe('CancelNotApplied j true');
      });

      it('watches a submission up to its answer where the component is gone, and leaves the job alone', async () => {
        const { run, show, submitted, open } = await setUp();
        let id: Promise<string | undefined> | undefined;
        await react.act(() => void (id = run().start({ a: 1 })));
        await show(null);
        expect(open).toEqual(['run {"a":1}']);
        submitted[0]!.next(stateOf('j', 'pending'));
        expect(await id).toBe('j');
        expect(open).toEqual([]);
      });

      const withActivity = version === 'React 18' ? () => undefined : it;
      withActivity(
        'stops watching while it is hidden, and follows its job again once it is back',
        async () => {
          const { source, submitted, open, jobOf } = playedSource();
          let start: (workflow: object) => unknown = () => undefined;
          const Run = () => {
            const view = react.hooks.useRun(source);
            ({ start } = view);
            return words(view);
          };
          const activity = (mode: string) =>
            react.createElement(react.Activity!, { mode }, react.createElement(Run));
          const { place, show } = await shown(activity('visible'));
          await react.act(() => void start({}));
          await react.act(() => submitted[0]!.next(stateOf('j', 'pending')));
          await show(activity('hidden'));
          expect(open).toEqual([]);
          await show(activity('visible'));
          expect(open).toEqual(['follow j']);
          await react.act(() => jobOf('j').next(stateOf('j', 'completed', 1)));
          expect(place.textContent).toBe('j completed 1');
          expect(submitted).toHaveLength(1);
        },
      );

      it('submits templates to a remote, and after OutcomeUnknown once more with the same key', async () => {
        const keys: unknown[] = [];
        const errors = ['OutcomeUnknown', 'InsufficientCredits', 'Forbidden'] as const;
        const remote = {
          ...playedSource().source,
          runTemplate: (
            name: string,
            inputs: object,
            { idempotencyKey }: { idempotencyKey?: string } = {},
          ) => {
            keys.push(idempotencyKey);
            expect([name, inputs]).toEqual(['picture', { prompt: 'a' }]);
            const tag = errors[keys.length - 1]!;
            return throwError(() => serviceError(tag, { candidates: [], startedAt: 0 }));
          },
        };
        let view:
          { readonly retry: () => Promise<unknown>; readonly start: typeof remote.runTemplate } | undefined;
        const Run = () => {
          view = react.hooks.useRun(remote) as never;
          return 'run';
        };
        await shown(react.createElement(Run));
        await react.act(() => void view!.start('picture', { prompt: 'a' }));
        await react.act(() => view!.retry());
        await react.act(() => view!.retry());
        expect(keys.every((key) => typeof key === 'string')).toBe(true);
        expect([keys[0] === keys[1], keys[1] === keys[2]]).toEqual([true, false]);
      });
    });

    it('useConnection shows the state of the connection', async () => {
      const connection = new BehaviorSubject<{ readonly _tag: string }>({ _tag: 'open' });
      const source = { connection };
      const Banner = () => react.hooks.useConnection(source)._tag;
      const { place, show } = await shown(react.createElement(Banner));
      expect(place.textContent).toBe('open');
      await react.act(() => connection.next({ _tag: 'waiting' }));
      expect(place.textContent).toBe('waiting');
      await show(null);
      expect(connection.observed).toBe(false);
    });

    it('useOutputs lists the files of a job once it has ended, for all components at once', async () => {
      const { source, asked, jobOf } = playedSource();
      const outputs = (id: string): Promise<readonly RemoteOutput[]> => {
        asked.push(`outputs ${id}`);
        return Promise.resolve([{ filename: 'a.png' } as RemoteOutput]);
      };
      const remote = { ...source, outputs };
      const Files = () =>
        react.hooks.useOutputs(remote, 'a').outputs?.map(({ filename }) => filename) ?? 'none';
      const both = react.createElement(
        'section',
        null,
        react.createElement(Files),
        react.createElement(Files),
      );
      const { place } = await shown(both);
      await react.act(() => jobOf('a').next(stateOf('a', 'in_progress', 0.5)));
      expect(place.textContent).toBe('nonenone');
      await react.act(() => jobOf('a').next(stateOf('a', 'completed', 1)));
      expect(place.textContent).toBe('a.pnga.png');
      expect(asked).toEqual(['follow a', 'outputs a']);
    });

    describe('on a server', () => {
      it('renders without asking anything, and a page goes on from there without a difference', async () => {
        const { source, asked } = playedSource();
        const remote = {
          ...source,
          ...{ previews: vi.fn(), list: vi.fn(), outputs: vi.fn() },
          connection: of({ _tag: 'open' }),
        };
        const { hooks } = react;
        const Page = () => {
          const [job, jobs] = [hooks.useJob(remote, 'a'), hooks.useJobs(remote)];
          const [preview, outputs] = [hooks.usePreview(remote, 'a'), hooks.useOutputs(remote, 'a')];
          const [run, connection] = [hooks.useRun(remote), hooks.useConnection(remote)];
          const shown = [job.state, jobs.jobs, preview.url, outputs.outputs, run.state, connection];
          return JSON.stringify(shown.map((one) => one ?? null));
        };
        const html = react.renderToString(react.createElement(Page));
        expect(html.replaceAll('&quot;', '"')).toBe('[null,[],null,null,null,{"_tag":"idle"}]');
        expect(asked).toEqual([]);
        for (const call of [remote.previews, remote.list, remote.outputs])
          expect(call).not.toHaveBeenCalled();

        const said = failures();
        remote.previews.mockReturnValue(new Subject());
        remote.list.mockReturnValue(Promise.resolve({ jobs: [] }));
        const place = react.place(html);
        let root: { readonly unmount: () => void } | undefined;
        await react.act(async () => {
          root = react.hydrateRoot(place, react.createElement(Page));
          await Promise.resolve();
        });
        expect(place.textContent).toBe('[null,[],null,null,null,{"_tag":"open"}]');
        expect(said()).toEqual([]);
        await react.act(() => root?.unmount());
      });
    });
  });
});
