import type { Platform } from '../platform.js';

/**
 * Opens the browser's own WebSocket; pages can't ping, and see neither status nor system error of a refused handshake.
 *
 * Whatever fails is told once through `closed`.
 */
export const openBrowserSocket: Platform['openSocket'] = (url, listener) => {
  let over = false;
  let isClosing = false;
  const end = (code: number, reason: string, errorCode?: string, byPeer = false): void => {
    if (over) return;
    over = true;
    listener.closed({ code, reason, errorCode, ...(byPeer && { byPeer }) });
  };

  const socket = open(url);
  if (socket === undefined) {
    queueMicrotask(() => end(1006, '', 'ERR_INVALID_URL'));
    return { send: () => undefined, close: () => undefined };
  }
  socket.binaryType = 'arraybuffer';
  socket.onopen = () => {
    if (!over) listener.opened();
  };
  socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
    if (!over) listener.message(data);
  };
  socket.onclose = ({ code, reason, wasClean }) => end(code, reason, undefined, wasClean && !isClosing);

  return {
    send: (text) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close: (immediately = false) => {
      isClosing = true;
      socket.close();
      // A page can't cut a connection, and a dead one answers the close for a long time by nothing.
      if (immediately) queueMicrotask(() => end(1006, ''));
    },
  };
};

const open = (url: string): WebSocket | undefined => {
  try {
    return new WebSocket(url);
  } catch {
    return undefined;
  }
};
