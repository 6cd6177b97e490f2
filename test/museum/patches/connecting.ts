import type { Patch } from '../patch.js';

/** Groups A and B: the socket, the line and the clocks. */
export const connecting: readonly Patch[] = [
  {
    id: 'A1',
    story:
      'A client of the local engine takes a refused key for a dropped line and knocks every 300 ms for ever.',
    file: 'src/socket/fatal-end.ts',
    find: 'if (status === 401) return',
    replace: 'if (status === 499) return',
    caughtBy: { test: 'test/socket/reconnect.test.ts', name: 'A1' },
  },
  {
    id: 'A8',
    story:
      'Most reconnecting sockets forget their attempts at each open, so a line that flaps is dialled twice a second.',
    file: 'src/socket/reconnect.ts',
    find: 'cancelStable = clock.after(stableAfterMs, restart, { background: true });',
    replace: 'restart();',
    caughtBy: { test: 'test/socket/reconnect.test.ts', name: 'A8' },
  },
  {
    id: 'A9',
    story: 'A client that came back once gives up at the second drop and has no socket from then on.',
    file: 'src/socket/reconnect.ts',
    find: "if (states.value._tag === 'open') downSince = clock.now();",
    replace: `if (Object.hasOwn(states, 'dropped')) return after(clock, 1e15);
        if (states.value._tag === 'open') downSince = Object.assign(states, { dropped: clock.now() }).dropped;`,
    caughtBy: { figure: 'S1', within: 200 },
  },
  {
    id: 'B1',
    story: 'Two of three clients wait for ever on a line that was cut without a word.',
    file: 'src/socket/open-socket.ts',
    find: 'if (received() === receivedAtPing) return true;',
    replace: '',
    caughtBy: { figure: 'S10', within: 40 },
  },
  {
    id: 'B3',
    story:
      'A widely used socket wrapper counts its own ping as a sign of life, so it never finds a dead peer.',
    file: 'src/socket/open-socket.ts',
    find: 'receivedAtPing = received();',
    replace: 'receivedAtPing = received() - 1;',
    caughtBy: { figure: 'S10', within: 40 },
  },
  {
    id: 'B5',
    story: 'Apps take a socket for open after a night of sleep, because it still says so.',
    file: 'src/socket/open-socket.ts',
    find: 'passed >= tickMs + sleptMs || probe()',
    replace: 'probe()',
    caughtBy: { test: 'test/socket/open-socket.test.ts', name: 'B5' },
  },
  {
    id: 'B7',
    story: 'A deadline of a month fires after a millisecond, since the runtime keeps delays in 31 bits.',
    file: 'src/platform/clock.ts',
    find: 'const pieceMs = Math.min(leftMs, longestMs);',
    replace: 'const pieceMs = leftMs;',
    caughtBy: { test: 'test/platform/clock.test.ts', name: 'B7' },
  },
];
