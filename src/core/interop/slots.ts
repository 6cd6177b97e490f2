import { from, mergeMap, Subject } from 'rxjs';

/** Runs work, a limited amount at a time. */
export interface Slots {
  /** Resolves with the work's own result, once it had its turn: who asked first comes first. The work does not reject. */
  readonly run: <A>(work: () => Promise<A>) => Promise<A>;
}

/** Makes {@link Slots} that run at most `limit` pieces of work at once. */
export const slots = (limit: number): Slots => {
  const asked = new Subject<() => Promise<void>>();
  asked.pipe(mergeMap((work) => from(work()), limit)).subscribe();
  return {
    run: (work) => new Promise((resolve) => asked.next(() => work().then(resolve))),
  };
};

/** {@link Slots} by name. */
export interface NamedSlots {
  /** Runs work as {@link Slots} do; work of other names does not wait for it. */
  readonly run: <A>(name: string, work: () => Promise<A>) => Promise<A>;
}

/** Makes {@link NamedSlots} of which `limit` of each name are busy at most; a name is kept while something of it is. */
export const namedSlots = (limit: number, make = slots): NamedSlots => {
  const names = new Map<string, { readonly slots: Slots; asked: number }>();
  return {
    run: async (name, work) => {
      const known = names.get(name) ?? { slots: make(limit), asked: 0 };
      names.set(name, known);
      known.asked += 1;
      const result = await known.slots.run(work);
      known.asked -= 1;
      if (known.asked === 0) names.delete(name);
      return result;
    },
  };
};
