import { defer, type Observable, type Subscription } from 'rxjs';

/** What components show of a stream: an immutable value, the same object until something changes. */
export interface View {
  /** The error that ended the stream, or of a call of the view. */
  readonly error: unknown;
  /** Subscribes to the stream again, without the error that ended it. */
  readonly retry: () => void;
}

/** A view that components share, as `useSyncExternalStore` takes it. */
export interface Shared<Shown extends View> {
  readonly first: Shown;
  readonly subscribe: (listener: () => void) => () => void;
  readonly getSnapshot: () => Shown;
}

/** A stream that a component shows. */
interface Entry<Shown extends View> {
  shown: Shown;
  readonly listeners: Set<() => void>;
  readonly open: () => Observable<Partial<Shown>>;
  subscription?: Subscription;
}

const entries = new WeakMap<object, Map<string, Entry<View>>>();

/**
 * The view of one stream of a source, by a key: all components that show it share one subscription and see the same moment.
 *
 * Making it has no effect. It begins as `none`, with the calls that `own` makes. `open` is subscribed to with the first listener; its values
 * change the view. The stream is left a microtask after the last listener, so that React may take a component off and put it back at once.
 */
export const shared = <Shown extends View>(
  source: object,
  key: string,
  none: Shown,
  open: () => Observable<Partial<Shown>>,
  own?: (set: (change: Partial<Shown>) => void) => Partial<Shown>,
): Shared<Shown> => {
  const current = () => entries.get(source)?.get(key) as Entry<Shown> | undefined;
  const set = (change: Partial<Shown>): void => {
    const entry = current();
    if (entry !== undefined) show(entry, change);
  };
  const retry = (): void => {
    const entry = current();
    if (entry === undefined) return;
    entry.subscription?.unsubscribe();
    show(entry, { error: undefined } as Partial<Shown>);
    watch(entry);
  };
  const first = { ...none, ...own?.(set), retry };
  return {
    first,
    subscribe: (listener) => {
      const entry = current() ?? opened(source, key, { shown: first, listeners: new Set(), open });
      entry.listeners.add(listener);
      return () => {
        entry.listeners.delete(listener);
        queueMicrotask(() => {
          if (entry.listeners.size > 0) return;
          entry.subscription?.unsubscribe();
          if (current() === entry) entries.get(source)?.delete(key);
        });
      };
    },
    getSnapshot: () => current()?.shown ?? first,
  };
};

const opened = <Shown extends View>(source: object, key: string, entry: Entry<Shown>): Entry<Shown> => {
  const ofSource = entries.get(source) ?? new Map<string, Entry<View>>();
  entries.set(source, ofSource.set(key, entry));
  watch(entry);
  return entry;
};

const watch = <Shown extends View>(entry: Entry<Shown>): void => {
  entry.subscription = defer(entry.open).subscribe({
    next: (change) => show(entry, change),
    error: (error: unknown) => show(entry, { error } as Partial<Shown>),
  });
};

const show = <Shown extends View>(entry: Entry<Shown>, change: Partial<Shown>): void => {
  entry.shown = { ...entry.shown, ...change };
  for (const listener of entry.listeners) listener();
};
