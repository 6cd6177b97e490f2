import { replace, drop, insertBefore, insertAfter, type Mutant } from '../mutant.js';
import { assigned, branch, call, literal, operation, statement } from '../selectors.js';

/** Groups A and B: the socket, the line and the clocks. */
export const connecting: readonly Mutant[] = [
  {
    id: 'A1',
    story:
      'A client of the local engine takes a refused key for a dropped line and knocks every 300 ms for ever.',
    in: 'refusals',
    change: replace(literal(401), '499'),
    caughtBy: { test: 'test/socket/reconnect.test.ts', name: 'A1' },
  },
  {
    id: 'A8',
    story:
      'Most reconnecting sockets forget their attempts at each open, so a line that flaps is dialled twice a second.',
    in: 'reconnecting.opened',
    change: replace(statement('stableAfterMs'), 'restart();'),
    caughtBy: { test: 'test/socket/reconnect.test.ts', name: 'A8' },
  },
  {
    id: 'A9',
    story: 'A client that came back once gives up at the second drop and has no socket from then on.',
    in: 'reconnecting',
    change: insertBefore(
      branch('states', '===', 'open'),
      `if (Object.hasOwn(states, 'dropped')) return new Subject();
       if (states.value._tag === 'open') Object.assign(states, { dropped: true });`,
    ),
    caughtBy: { figure: 'random-fault-schedules', within: 200 },
  },
  {
    id: 'B1',
    story: 'Two of three clients wait for ever on a line that was cut silently.',
    in: 'startLiveness',
    change: drop(branch('received', '===', 'receivedAtPing')),
    caughtBy: { figure: 'silent-connections', within: 40 },
  },
  {
    id: 'B3',
    story:
      'A widely used socket wrapper counts its own ping as a sign of life, so it never finds a dead peer.',
    in: 'startLiveness',
    change: insertAfter(assigned('receivedAtPing', 'received'), ' - 1'),
    caughtBy: { figure: 'silent-connections', within: 40 },
  },
  {
    id: 'B5',
    story: 'Apps take a socket for open after a night of sleep, because it still says so.',
    in: 'startLiveness',
    change: replace(operation('passed', 'sleptMs', 'probe'), 'probe()'),
    caughtBy: { test: 'test/socket/open-socket.test.ts', name: 'B5' },
  },
  {
    id: 'B7',
    story: 'A deadline of a month fires after a millisecond, since the runtime keeps delays in 31 bits.',
    in: 'realClock',
    change: replace(call('min', 'leftMs'), 'leftMs'),
    caughtBy: { test: 'test/platform/clock.test.ts', name: 'B7' },
  },
];
