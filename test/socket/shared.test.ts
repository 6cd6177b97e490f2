import { EMPTY, NEVER, retry } from 'rxjs';
import { describe, it } from 'vitest';
import { shared } from '../../src/socket/shared.js';
import { marbles } from '../helpers/marbles.js';

describe('shared', () => {
  it('subscribes once for all, and lingers after the last', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const [source, lingering] = [cold<never>('-'), cold('---g-')];
      const one = shared(source, lingering).strict;
      expectObservable(one, '^---!').toBe('-');
      expectObservable(one, '--^--!').toBe('-');
      expectSubscriptions(source.subscriptions).toBe('^-------!');
      expectSubscriptions(lingering.subscriptions).toBe('-----^--!');
    });
  });

  it('keeps what it has for whoever comes back in time, and begins anew for whoever does not', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const [source, lingering] = [cold<never>('-'), cold('--g')];
      const one = shared(source, lingering).strict;
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
      const one = shared(source, lingering).strict;
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
      expectObservable(shared(source, EMPTY).strict.pipe(retry(1))).toBe('----#');
      expectSubscriptions(source.subscriptions).toBe(['^-!', '--^-!']);
    });
  });

  it('goes on where an error came at once', () => {
    marbles(({ cold, expectObservable }) => {
      const one = shared(cold<never>('#'), NEVER).strict;
      expectObservable(one).toBe('#');
      expectObservable(one, '-^').toBe('-#');
    });
  });

  it('lets the patient rest after an error, until it is resumed', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const [source, lingering, resumed] = [cold<never>('--#'), cold('g'), cold('-----r')];
      const { strict, patient, resume } = shared(source, lingering);
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
      shared(source, NEVER).resume();
      expectSubscriptions(source.subscriptions).toBe([]);
    });
  });

  it('errors for all once it is ended, now and later', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const [source, ending] = [cold<never>('-'), cold('--e')];
      const { strict, patient, end } = shared(source, NEVER);
      expectObservable(strict).toBe('--#');
      expectObservable(patient).toBe('--#');
      expectObservable(patient, '---^').toBe('---#');
      ending.subscribe(() => end('error'));
      expectSubscriptions(source.subscriptions).toBe('^-!');
    });
  });
});
