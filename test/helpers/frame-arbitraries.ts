import fc from 'fast-check';
import { anyCharacter } from './any-character.js';
import type { EventType } from '../../src/core/protocol/event-data.js';
import type { Frame } from '../../src/core/protocol/frames/frame.js';
import {
  encodeBinary,
  encodeMessage,
  encodeMessageLikePython,
  encodePreview,
  encodePreviewWithMetadata,
  encodeProgressText,
} from './encode-frame.js';

/** A frame beside the bytes or the text that it must come from. */
export interface WireFrame {
  /** What was encoded, for counting: an event's type, or a binary layout. */
  readonly kind: string;
  readonly wire: string | Uint8Array;
  readonly promptText?: boolean;
  readonly frame: Frame;
}

/** Text without lone surrogates, which UTF-8 can't carry. */
const text = fc.string({ unit: anyCharacter, maxLength: 20 });
const id = fc.oneof(
  fc.uuid(),
  fc.string({ unit: anyCharacter, minLength: 1, maxLength: 12 }),
  fc.constantFrom('12', '5.0.0.3', '12:7', '__proto__', 'constructor'),
);
const orNull = <A>(arbitrary: fc.Arbitrary<A>): fc.Arbitrary<A | null> => fc.option(arbitrary);
const number = fc.oneof(
  fc.integer(),
  fc.constantFrom(0, -1, 0.5, 1e308),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const timestamp = fc.integer({ min: 0, max: 2 ** 42 });
const ids = fc.array(id, { maxLength: 4 });
/** Integers beyond 2^53 are not among them: what JSON writes as digits is no `number` where numbers stay as sent. */
const json = fc
  .jsonValue({ maxDepth: 3 })
  .map(
    (value) =>
      JSON.parse(JSON.stringify(value), (_, member: unknown) =>
        Number.isInteger(member) && !Number.isSafeInteger(member) ? 1e300 : member,
      ) as unknown,
  );
const record = <A>(value: fc.Arbitrary<A>): fc.Arbitrary<Record<string, A>> =>
  fc.dictionary(id, value, { maxKeys: 4 });

type Model = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** Members of the first model always, of the second sometimes, and at times an unknown one. */
const data = (required: Model, optional: Model): fc.Arbitrary<Record<string, unknown>> =>
  fc
    .tuple(
      fc.record(required),
      fc.record(optional, { requiredKeys: [] }),
      fc.option(fc.record({ brand_new: json }), { freq: 4, nil: {} }),
    )
    .map(([always, sometimes, unknown]) => ({ ...always, ...sometimes, ...unknown }));

const execInfo = orNull(data({}, { queue_remaining: number }));
const node = data(
  {},
  {
    value: number,
    max: number,
    state: fc.constantFrom('pending', 'running', 'finished', 'error', 'new'),
    node_id: orNull(id),
    prompt_id: orNull(id),
    display_node_id: orNull(id),
    parent_node_id: orNull(id),
    real_node_id: orNull(id),
    class_type: orNull(text),
  },
);

/** `data` of each event as the service may send it, written from docs/protocol.md, chapter 6. */
export const eventData: Readonly<Record<EventType, fc.Arbitrary<Record<string, unknown>>>> = {
  status: data(
    {},
    {
      status: orNull(data({}, { exec_info: execInfo })),
      exec_info: execInfo,
      queue_remaining: number,
      sid: orNull(text),
    },
  ),
  notification: data({ value: text }, { id: orNull(id) }),
  execution_start: data({ prompt_id: id }, { timestamp: orNull(timestamp) }),
  execution_cached: data({ prompt_id: id, nodes: ids }, { timestamp: orNull(timestamp) }),
  executing: data(
    {},
    { node: orNull(fc.oneof(id, fc.constant(''))), display_node: orNull(id), prompt_id: orNull(id) },
  ),
  progress: data({ value: number, max: number, prompt_id: id }, { node: orNull(id) }),
  progress_state: data({ prompt_id: id, nodes: record(node) }, {}),
  executed: data(
    { prompt_id: id, node: id },
    { display_node: orNull(id), output: orNull(record(json)), merge: orNull(fc.boolean()) },
  ),
  execution_success: data({ prompt_id: id }, { timestamp: orNull(timestamp) }),
  execution_error: data(
    { prompt_id: id, exception_type: text, exception_message: text },
    {
      node_id: orNull(text),
      node_type: orNull(text),
      executed: orNull(ids),
      traceback: orNull(fc.array(text, { maxLength: 3 })),
      current_inputs: fc.oneof(record(json), fc.constant([]), fc.constant(null)),
      current_outputs: fc.oneof(ids, record(json)),
      timestamp: orNull(timestamp),
    },
  ),
  execution_interrupted: data(
    { prompt_id: id },
    { node_id: orNull(text), node_type: orNull(text), executed: orNull(ids), timestamp: orNull(timestamp) },
  ),
  feature_flags: record(json),
};

const eventFrame = (type: EventType): fc.Arbitrary<WireFrame> =>
  fc.tuple(eventData[type], fc.constantFrom('text', 'python', 'bytes')).map(([generated, form]) => {
    // What JSON can't say (-0) is not asked of the decoder.
    const value = throughJson(generated);
    const wire = form === 'python' ? encodeMessageLikePython(type, value) : encodeMessage(type, value);
    const promptId = promptIdOf(value);
    return {
      kind: form === 'bytes' ? `${type} in bytes` : type,
      wire: form === 'bytes' ? new Uint8Array(Buffer.from(wire)) : wire,
      frame: {
        _tag: 'Event',
        type,
        ...(promptId === undefined ? {} : { promptId }),
        data: value,
      } as Frame,
    };
  });

const unknownText: fc.Arbitrary<WireFrame> = fc
  .tuple(
    text.map((name) => `x.${name}`),
    fc.oneof(json, fc.record({ prompt_id: id })),
  )
  .map(([type, value]) => {
    const message = throughJson({ type, data: value });
    const promptId = promptIdOf(message.data);
    return {
      kind: 'unknown text',
      wire: encodeMessage(type, message.data),
      frame: {
        _tag: 'Unknown',
        kind: 'text',
        type,
        ...(promptId === undefined ? {} : { promptId }),
        message,
      },
    };
  });

const pictures: readonly (readonly [string, readonly number[]])[] = [
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/png', [0x89, 0x50, 0x4e, 0x47]],
  ['image/gif', [0x47, 0x49, 0x46, 0x38]],
];
const picture = fc
  .tuple(fc.constantFrom(...pictures), fc.uint8Array({ maxLength: 64 }))
  .map(([[mediaType, magic], rest]) => ({ mediaType, image: Uint8Array.from([...magic, ...rest]) }));
const unnamedPicture = fc
  .uint8Array({ maxLength: 64 })
  .map((rest) => Uint8Array.from([0, 0, 0, 0, 0, ...rest]));

const unknownWire = (type: number, bytes: Uint8Array) => ({
  wire: bytes,
  frame: { _tag: 'Unknown' as const, kind: 'binary' as const, type, bytes },
});

const preview: fc.Arbitrary<WireFrame> = fc.oneof(
  fc.tuple(fc.nat(3), picture).map(([code, { mediaType, image }]) => ({
    kind: 'type 1',
    wire: encodePreview(code, image),
    frame: { _tag: 'Preview' as const, mediaType, image },
  })),
  fc.tuple(fc.nat(3), unnamedPicture).map(([code, image]) => ({
    kind: 'type 1 of no known picture',
    ...unknownWire(1, encodePreview(code, image)),
  })),
);

const previewWithMetadata: fc.Arbitrary<WireFrame> = fc
  .tuple(
    fc.record(
      {
        prompt_id: id,
        node_id: id,
        display_node_id: id,
        parent_node_id: orNull(id),
        image_type: fc.constant('image/webp'),
      },
      { requiredKeys: [] },
    ),
    fc.option(fc.record({ brand_new: json }), { nil: {} }),
    fc.oneof(
      picture,
      unnamedPicture.map((image) => ({ mediaType: undefined, image })),
    ),
  )
  .map(([known, unknown, { mediaType, image }]) => {
    const metadata = throughJson({ ...known, ...unknown });
    const wire = encodePreviewWithMetadata(metadata, image);
    if (mediaType === undefined) return { kind: 'type 4 of no known picture', ...unknownWire(4, wire) };
    return {
      kind: 'type 4',
      wire,
      frame: {
        _tag: 'Preview',
        mediaType,
        image,
        metadata,
        ...(known.prompt_id === undefined ? {} : { promptId: known.prompt_id }),
        ...(known.node_id === undefined ? {} : { nodeId: known.node_id }),
        ...(known.display_node_id === undefined ? {} : { displayNodeId: known.display_node_id }),
      },
    };
  });

const progressText: fc.Arbitrary<WireFrame> = fc.oneof(
  fc.tuple(id, text).map(([nodeId, content]) => ({
    kind: 'type 3, promptText false',
    wire: encodeProgressText(nodeId, content),
    promptText: false,
    frame: { _tag: 'Text' as const, nodeId, text: content },
  })),
  fc.tuple(id, id, text).map(([promptId, nodeId, content]) => ({
    kind: 'type 3, promptText true',
    wire: encodeProgressText(nodeId, content, promptId),
    promptText: true,
    frame: { _tag: 'Text' as const, nodeId, text: content, promptId },
  })),
  // Untold, a node id as long as a UUID would be ambiguous.
  fc
    .tuple(
      id.filter((nodeId) => Buffer.byteLength(nodeId) !== 36),
      text,
    )
    .map(([nodeId, content]) => ({
      kind: 'type 3, untold',
      wire: encodeProgressText(nodeId, content),
      frame: { _tag: 'Text' as const, nodeId, text: content },
    })),
  fc.tuple(fc.uuid(), id, text).map(([promptId, nodeId, content]) => ({
    kind: 'type 3 with a prompt id, untold',
    wire: encodeProgressText(nodeId, content, promptId),
    frame: { _tag: 'Text' as const, nodeId, text: content, promptId },
  })),
);

const unknownBinary: fc.Arbitrary<WireFrame> = fc
  .tuple(
    fc.oneof(fc.constantFrom(0, 2), fc.integer({ min: 5, max: 0x08ff_ffff })),
    fc.uint8Array({ maxLength: 64 }),
  )
  .map(([type, payload]) => {
    const bytes = encodeBinary(type, payload);
    return { kind: 'unknown binary', ...unknownWire(type, bytes) };
  });

/** One frame of any kind. */
export const wireFrame: fc.Arbitrary<WireFrame> = fc.oneof(
  ...(Object.keys(eventData) as EventType[]).map(eventFrame),
  unknownText,
  preview,
  previewWithMetadata,
  progressText,
  unknownBinary,
);

/** The kinds that {@link wireFrame} makes. */
export const wireKinds: readonly string[] = [
  ...Object.keys(eventData).flatMap((type) => [type, `${type} in bytes`]),
  'unknown text',
  'type 1',
  'type 1 of no known picture',
  'type 4',
  'type 4 of no known picture',
  'type 3, promptText false',
  'type 3, promptText true',
  'type 3, untold',
  'type 3 with a prompt id, untold',
  'unknown binary',
];

const throughJson = <A>(value: A): A => JSON.parse(JSON.stringify(value)) as A;

const promptIdOf = (value: unknown): string | undefined => {
  const found =
    typeof value === 'object' && value !== null && Object.hasOwn(value, 'prompt_id') && !Array.isArray(value)
      ? (value as { readonly prompt_id: unknown }).prompt_id
      : undefined;
  return typeof found === 'string' && found !== '' ? found : undefined;
};
