import { EMPTY, NEVER, retry } from 'rxjs';
import { describe, it } from 'vitest';
import { shared } from '../../src/socket/shared.js';
import { marbles } from '../helpers/marbles.js';

describe('shared', () => {
  it('subscribes once for all, and lingers after the last', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const [source, lingering] = [cold<never>('-'), cold('---g-')];
      const one = shared(source, lingering);
      expectObservable(one, '^---!').toBe('-');
      expectObservable(one, '--^--!').toBe('-');
      expectSubscriptions(source.subscriptions).toBe('^-------!');
      expectSubscriptions(lingering.subscriptions).toBe('-----^--!');
    });
  });

  it('keeps what it has for whoever comes back in time, and begins anew for whoever does not', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const [source, lingering] = [cold<never>('-'), cold('--g')];
      const one = shared(source, lingering);
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
      const one = shared(source, lingering);
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
      expectObservable(shared(source, EMPTY).pipe(retry(1))).toBe('----#');
      expectSubscriptions(source.subscriptions).toBe(['^-!', '--^-!']);
    });
  });

  it('goes on where an error came at once', () => {
    marbles(({ cold, expectObservable }) => {
      const one = shared(cold<never>('#'), NEVER);
      expectObservable(one).toBe('#');
      expectObservable(one, '-^').toBe('-#');
    });
  });
});
