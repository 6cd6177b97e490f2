import type { EventData, EventType } from '../event-data.js';

/** A text message of a known type with a checked shape; `data` is as on the wire, with unknown members. */
export type EventFrame = {
  [Type in EventType]: {
    readonly _tag: 'Event';
    /** What happened: a key of `EventData`. */
    readonly type: Type;
    /** `data.prompt_id`, where the message names a job. */
    readonly promptId?: string;
    /** The `data` of the message, as on the wire. */
    readonly data: EventData[Type];
  };
}[EventType];

/** A preview picture (binary types 1 and 4); `image` is a view on the received bytes, not a copy. */
export interface Preview {
  /** Tells a preview from the other frames. */
  readonly _tag: 'Preview';
  /** By the picture's own first bytes, e.g. `image/jpeg`; what the message calls it does not count. */
  readonly mediaType: string;
  /** The picture's bytes, in the format of `mediaType`. */
  readonly image: Uint8Array;
  /** The job, where the message names one (type 4); `forPrompt` gives others to the only running job. */
  readonly promptId?: string;
  /** The node that made it, where the message names one (type 4). */
  readonly nodeId?: string;
  /** Type 4 only: the node of the submitted workflow that the picture belongs to. */
  readonly displayNodeId?: string;
  /** Type 4 only: the metadata as sent. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** Progress text of a node (binary type 3, both layouts). */
export interface TextFrame {
  /** Tells a text from the other frames. */
  readonly _tag: 'Text';
  /** The node that the text is about. */
  readonly nodeId: string;
  /** The text, which replaces the earlier one of this node. */
  readonly text: string;
  /** The job, where the message names one. */
  readonly promptId?: string;
}

/** A message of a type, or with a picture of a format, that this version does not know. */
export type Unknown =
  | {
      readonly _tag: 'Unknown';
      /** Whether the message was text or binary. */
      readonly kind: 'text';
      /** The `type` of the message. */
      readonly type: string;
      /** The job, where the message names one. */
      readonly promptId?: string;
      /** The whole message as received. */
      readonly message: Readonly<Record<string, unknown>>;
    }
  | {
      readonly _tag: 'Unknown';
      /** Whether the message was text or binary. */
      readonly kind: 'binary';
      /** The type code, the first four bytes. */
      readonly type: number;
      /** Always absent: the layout of such a message is unknown, or an extension's own. */
      readonly promptId?: undefined;
      /** The whole frame as received. */
      readonly bytes: Uint8Array;
    };

/** A message that could not be decoded; the stream goes on. */
export interface Malformed {
  /** Tells a malformed message from the other frames. */
  readonly _tag: 'Malformed';
  /** What is wrong with it, in a few words. */
  readonly reason: string;
  /** Bytes of a binary frame, UTF-16 units of a text frame; of a message that is larger than `maxMessageBytes` that bound. */
  readonly size: number;
  /** At most 80 characters of the message, without secrets and control characters. */
  readonly sample: string;
  /** Always absent: nothing in it can be trusted. */
  readonly promptId?: undefined;
}

/** One message of the socket, decoded. */
export type Frame = EventFrame | Preview | TextFrame | Unknown | Malformed;

/** Whether a value is a frame. */
export const isFrame = (value: unknown): value is Frame =>
  typeof value === 'object' && value !== null && '_tag' in value && tags.has(value._tag);

const tags: ReadonlySet<unknown> = new Set<Frame['_tag']>([
  'Event',
  'Preview',
  'Text',
  'Unknown',
  'Malformed',
]);

/** Makes the value for a message that could not be decoded; `size` in bytes or UTF-16 units. */
export const malformed = (reason: string, size: number, sample: string): Malformed => ({
  _tag: 'Malformed',
  reason,
  size,
  sample,
});
