import { encodePlainPreview } from '../sockets/encode-message.js';
import type { EventData, EventInterceptor, ServiceMessage } from '../messages.js';
import type { EventFault, EventMatch } from '../fault.js';
import type { FaultRegistry } from './fault-registry.js';

/** The jobs and sockets of an emulator, as far as faults of events change them. */
export interface EventInterceptorOptions {
  readonly registry: FaultRegistry;
  /** The number of a job among all accepted ones, from 1. */
  readonly jobNumber: (promptId: string) => number | undefined;
  /** Seeded bytes, as hexadecimal digits. */
  readonly hex: (length: number) => string;
  readonly uuid: () => string;
  /** Cuts all sockets and refuses new ones, or accepts them again. */
  readonly disconnect: (promptId: string, on: boolean) => void;
}

/** Intercepts the messages of one account; a delayed message is delivered after the given number of later ones. */
export const createEventInterceptor = (options: EventInterceptorOptions): EventInterceptor => {
  const { registry, jobNumber, disconnect } = options;
  let held: { left: number; readonly release: () => void }[] = [];
  let generation = registry.generation();

  return (message, deliver) => {
    if (generation !== registry.generation()) {
      generation = registry.generation();
      const released = held;
      held = [];
      for (const { release } of released) release();
    }
    if (!registry.isArmed()) {
      deliver(message);
      return;
    }
    const facts = factsOf(message, jobNumber);
    if (facts.promptId !== undefined) disconnectIfDue(registry, facts, disconnect);
    const faults = registry.trigger(['event'], describe(facts), ({ match }) => matchesFacts(match, facts));
    const before = faults.flatMap((fault) => injectedMessages(fault, options));
    const copies = faults.reduce((count, fault) => count * copiesOf(fault), 1);
    const changed = faults.reduce(change, message);
    const wait = Math.max(0, ...faults.map(waitOf));
    for (const companion of before) deliver(companion);
    const release = (): void => {
      for (let copy = 0; copy < copies; copy += 1) deliver(changed);
    };
    const passed = held;
    held = [];
    if (wait === 0) release();
    for (const entry of passed) {
      entry.left -= 1;
      if (entry.left === 0) entry.release();
      else held.push(entry);
    }
    if (wait > 0 && copies > 0) held.push({ left: wait, release });
    if (facts.isEnd && facts.promptId !== undefined) disconnect(facts.promptId, false);
  };
};

/** The properties of a message that faults match on. */
interface MessageFacts {
  readonly type: string;
  readonly promptId: string | undefined;
  readonly node: unknown;
  readonly job: number | undefined;
  readonly isEnd: boolean;
}

const factsOf = (message: ServiceMessage, jobNumber: EventInterceptorOptions['jobNumber']): MessageFacts => {
  const [type, promptId, node] = identify(message);
  const job = promptId === undefined ? undefined : jobNumber(promptId);
  const isEnd = (message.kind === 'event' ? message.subject?.isEnd : undefined) ?? terminal.has(type);
  return { type, promptId, node, job, isEnd };
};

const identify = (message: ServiceMessage): readonly [string, string | undefined, unknown] => {
  switch (message.kind) {
    case 'event':
      if (message.subject) return [message.type, message.subject.promptId, message.subject.nodeId];
      return [message.type, textOf(message.data['prompt_id'] ?? message.data['id']), message.data['node']];
    case 'preview':
      return ['preview', message.metadata.prompt_id, message.metadata.node_id];
    case 'text':
      return ['text', message.promptId, message.nodeId];
    case 'raw':
      return ['raw', undefined, undefined];
  }
};

const terminal: ReadonlySet<string> = new Set([
  'execution_success',
  'execution_error',
  'execution_interrupted',
]);

const matchesFacts = (match: EventMatch | undefined, facts: MessageFacts): boolean =>
  (match?.type === undefined || match.type === facts.type) &&
  (match?.node === undefined || match.node === facts.node) &&
  (match?.job === undefined || match.job === facts.job);

const describe = ({ type, job }: MessageFacts): string =>
  job === undefined ? type : `${type} of job ${job}`;

/** Disconnects all sockets until the job has ended, once it reaches the event number of the fault. */
const disconnectIfDue = (
  registry: FaultRegistry,
  { promptId = '', job, type }: MessageFacts,
  disconnect: EventInterceptorOptions['disconnect'],
): void => {
  if (job === undefined || type === 'notification') return;
  const count = registry.countEvent(promptId);
  const isDue = registry
    .ofJob(promptId)
    .some((fault) => fault.do === 'finish-while-disconnected' && (fault.events ?? 1) === count);
  if (isDue) disconnect(promptId, true);
};

const copiesOf = (fault: EventFault): number =>
  fault.do === 'drop' ? 0 : fault.do === 'duplicate' ? (fault.copies ?? 1) + 1 : 1;

const waitOf = (fault: EventFault): number =>
  fault.do === 'swap' ? 1 : fault.do === 'delay' ? fault.events : 0;

const change = (message: ServiceMessage, fault: EventFault): ServiceMessage => {
  if (message.kind !== 'event') return message;
  if (fault.do === 'alter') return { ...message, data: { ...message.data, ...fault.data } };
  if (fault.do !== 'strip') return message;
  const left = Object.entries(message.data).filter(([name]) => !fault.members.includes(name));
  return { ...message, data: Object.fromEntries(left) };
};

/** The messages that a fault injects before the matched one. */
const injectedMessages = (
  fault: EventFault,
  { hex, uuid }: Pick<EventInterceptorOptions, 'hex' | 'uuid'>,
): readonly ServiceMessage[] => {
  switch (fault.do) {
    case 'foreign':
      return foreignMessages(fault, uuid);
    case 'unknown':
      return [unknownEvent(fault.type ?? 'unheard_of', fault.data ?? {})];
    case 'garbage':
      return [{ kind: 'raw', wire: fault.text ?? Buffer.from(fault.hex ?? hex(64), 'hex') }];
    default:
      return [];
  }
};

const unknownEvent = (type: string, data: EventData): ServiceMessage => ({ kind: 'event', type, data });

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

type ForeignFault = Extract<EventFault, { readonly do: 'foreign' }>;

/** The messages of whole jobs of another client of the account, from start to end. */
const foreignMessages = (
  { jobs = 1, end = 'success', previews = 0, previewBytes = 1_000 }: ForeignFault,
  uuid: () => string,
): readonly ServiceMessage[] => {
  const preview: ServiceMessage = { kind: 'raw', wire: foreignPreview(previewBytes) };
  return Array.from({ length: jobs }, () => {
    const id = { prompt_id: uuid() };
    return [
      event('execution_start', { ...id, timestamp: 0 }),
      event('executing', { node: '1', display_node: '1', ...id }),
      event('progress', { value: 1, max: 2, node: '1', ...id }),
      ...Array.from({ length: previews }, () => preview),
      ...(end === 'none' ? [] : [event(`execution_${end}`, { ...id, ...details[end], timestamp: 0 })]),
    ];
  }).flat();
};

const event = (type: string, data: EventData): ServiceMessage => ({ kind: 'event', type, data });

const node = { node_id: '1', node_type: 'Neighbour', executed: [] };

const details = {
  success: {},
  interrupted: node,
  error: {
    ...node,
    exception_type: 'NeighbourError',
    exception_message: 'a foreign job failed',
    traceback: [],
    current_inputs: {},
    current_outputs: {},
  },
} as const;

/** A preview of a foreign job: a binary message of type 1 with `bytes` bytes of a JPEG. */
export const foreignPreview = (bytes: number): Uint8Array => {
  const picture = new Uint8Array(bytes);
  picture.set([0xff, 0xd8, 0xff].slice(0, bytes));
  return encodePlainPreview({ mediaType: 'image/jpeg', bytes: picture });
};
