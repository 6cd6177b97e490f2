import type { Clock, Platform, SocketHandle } from '../platform/platform.js';
import type { SocketData } from './open-socket.js';

/** What records the messages of a client's sockets: `recordFrames(path)` of `promptwire/testing` makes one. */
export interface SocketRecorder {
  /** Called once by the client that it was given to; may throw what `createClient` then throws. */
  readonly attach: (context: RecorderContext) => SocketTape;
}

/** What a recorder gets of its client. */
export interface RecorderContext {
  /** The client's time. */
  readonly clock: Clock;
  /** Replaces every key of the client in a text, also those that are set later. */
  readonly redact: (text: string) => string;
}

/** Takes what happens on the sockets of one client, in order. None of its functions throws. */
export interface SocketTape {
  /** A socket is open. */
  readonly opened: () => void;
  /** A message came in or went out. */
  readonly message: (direction: 'in' | 'out', data: string | ArrayBuffer) => void;
  /** The socket ended, with this close code. */
  readonly closed: (code: number) => void;
  /** The client closed: nothing follows. */
  readonly end: () => void;
}

/** A platform whose sockets write down on a recorder what they carry; the address, which holds the key, is not part of it. */
export const recordedPlatform = (platform: Platform, recorder: SocketTape): Platform => ({
  ...platform,
  openSocket: (url, listener, options): SocketHandle => {
    const socket = platform.openSocket(
      url,
      {
        ...listener,
        opened: () => {
          recorder.opened();
          listener.opened();
        },
        message: (data: SocketData) => {
          recorder.message('in', data);
          listener.message(data);
        },
        closed: (end) => {
          recorder.closed(end.code);
          listener.closed(end);
        },
      },
      options,
    );
    return {
      ...socket,
      send: (text) => {
        recorder.message('out', text);
        socket.send(text);
      },
    };
  },
});
