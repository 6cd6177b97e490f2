import { defer, NEVER, type Observable, retry, throwError } from 'rxjs';
import { describe, it } from 'vitest';
import { shared } from '../../src/socket/shared.js';
import { marbles } from '../helpers/marbles.js';

/** Lingers until a stream emits. */
const until =
  (lingering: Observable<unknown>) =>
  (over: () => void): (() => void) => {
    const waiting = lingering.subscribe(over);
    return () => waiting.unsubscribe();
  };

describe('shared', () => {
  it('subscribes once for all, and lingers after the last', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const [source, lingering] = [cold<never>('-'), cold('---g-')];
      const one = shared(source, until(lingering)).strict;
      expectObservable(one, '^---!').toBe('-');
      expectObservable(one, '--^--!').toBe('-');
      expectSubscriptions(source.subscriptions).toBe('^-------!');
      expectSubscriptions(lingering.subscriptions).toBe('-----^--!');
    });
  });

  it('keeps what it has for whoever comes back in time, and begins anew for whoever does not', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const [source, lingering] = [cold<never>('-'), cold('--g')];
      const one = shared(source, until(lingering)).strict;
      expectObservable(one, '^-!').toBe('-');
      expectObservable(one, '---^-!').toBe('-');
      expectObservable(one, '--------^!').toBe('-');
      expectSubscriptions(source.subscriptions).toBe(['^------!', '--------^--!']);
      expectSubscriptions(lingering.subscriptions).toBe(['--^!', '-----^-!', '---------^-!']);
    });
  });

  it('errors for all, lingers no more, and begins anew with the next', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const [source, lingering] = [cold<never>('---#'), cold('--------g')];
      const one = shared(source, until(lingering)).strict;
      expectObservable(one).toBe('---#');
      expectObservable(one, '-^').toBe('---#');
      expectObservable(one, '-----^!').toBe('-');
      expectObservable(one, '-------^').toBe('--------#');
      expectSubscriptions(source.subscriptions).toBe(['^--!', '-----^--!']);
      expectSubscriptions(lingering.subscriptions).toBe('------^!');
    });
  });

  it('may be subscribed to again by whoever is told the error', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold<never>('--#');
      expectObservable(shared(source, until(NEVER)).strict.pipe(retry(1))).toBe('----#');
      expectSubscriptions(source.subscriptions).toBe(['^-!', '--^-!']);
    });
  });

  it('goes on where an error came at once', () => {
    marbles(({ cold, expectObservable }) => {
      const one = shared(cold<never>('#'), until(NEVER)).strict;
      expectObservable(one).toBe('#');
      expectObservable(one, '-^').toBe('-#');
    });
  });

  it('lets the patient rest after an error, until it is resumed', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const [source, lingering, resumed] = [cold<never>('--#'), cold('g'), cold('-----r')];
      const { strict, patient, resume } = shared(source, until(lingering));
      expectObservable(strict).toBe('--#');
      expectObservable(patient, '^-----!').toBe('-');
      expectObservable(patient, '-^').toBe('-');
      resumed.subscribe(resume);
      expectSubscriptions(source.subscriptions).toBe(['^-!', '-----^-!']);
      expectSubscriptions(lingering.subscriptions).toBe([]);
    });
  });

  it('begins nothing by being resumed where nobody rests', () => {
    marbles(({ cold, expectSubscriptions }) => {
      const source = cold<never>('-');
      shared(source, until(NEVER)).resume();
      expectSubscriptions(source.subscriptions).toBe([]);
    });
  });

  it('completes for the strict and errors for the patient once it is ended, now and later', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const [source, ending] = [cold<never>('-'), cold('--e')];
      const { strict, patient, end } = shared(source, until(NEVER));
      expectObservable(strict).toBe('--|');
      expectObservable(strict, '---^').toBe('---|');
      expectObservable(patient).toBe('--#');
      expectObservable(patient, '---^').toBe('---#');
      ending.subscribe(() => end('error'));
      expectSubscriptions(source.subscriptions).toBe('^-!');
    });
  });

  it('subscribes once also where somebody comes while the source begins', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold<never>('---#');
      const one: Observable<never> = shared(
        defer(() => {
          one.subscribe({ error: () => undefined });
          return source;
        }),
        until(NEVER),
      ).strict;
      expectObservable(one).toBe('---#');
      expectSubscriptions(source.subscriptions).toBe('^--!');
    });
  });

  it('holds nothing where it is ended while the source begins', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold<never>('-');
      const { patient, end } = shared(
        defer(() => {
          end('error');
          return source;
        }),
        until(NEVER),
      );
      expectObservable(patient).toBe('#');
      expectSubscriptions(source.subscriptions).toBe('(^!)');
    });
  });

  it('holds one subscription where whoever is told an error that came at once begins anew', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold<never>('-');
      const starts = [throwError(() => new Error('refused'))];
      const { strict } = shared(
        defer(() => starts.pop() ?? source),
        until(NEVER),
      );
      const again = (): void => void strict.subscribe();
      strict.subscribe({ error: again });
      expectObservable(strict, '-^!').toBe('-');
      expectSubscriptions(source.subscriptions).toBe('^');
    });
  });
});
