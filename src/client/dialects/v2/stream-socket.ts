import type { Message } from './messages.js';
import { type Observable, Subscription } from 'rxjs';
import type { SocketEnd, SocketHandle, SocketListener } from '../../../core/platform/platform.js';

/** How a stream of messages ends: by the status of the service, or a word for what happened. */
interface End {
  readonly status?: number | undefined;
  readonly code?: string | undefined;
}

/**
 * A stream of messages as a socket, which only receives.
 *
 * @param messages gives the messages; it calls the first function once the service has answered, and the second one where a message
 *   was too large
 * @param opensAtOnce whether it is open before that
 */
export const streamSocket = (
  listener: SocketListener,
  messages: (answered: () => void, tooLarge: () => void) => Observable<Message>,
  opensAtOnce: boolean,
): SocketHandle => {
  const subscription = new Subscription();
  let isOpen = false;
  const open = (): void => {
    if (isOpen || subscription.closed) return;
    isOpen = true;
    listener.opened();
  };
  const close = (end: SocketEnd): void => {
    if (subscription.closed) return;
    subscription.unsubscribe();
    listener.closed(end);
  };
  const begin = (): void => {
    if (subscription.closed) return;
    if (opensAtOnce) open();
    subscription.add(
      messages(open, () => listener.tooLarge?.()).subscribe({
        next: (message) => {
          open();
          listener.message(message);
        },
        error: (cause: unknown) => {
          const { status, code = 'EUNKNOWN' } = cause as End;
          close({ code: 1006, reason: '', ...(status === undefined ? { errorCode: code } : { status }) });
        },
      }),
    );
  };
  // A listener is called only after the socket was returned.
  void Promise.resolve().then(begin);
  return { send: () => undefined, close: () => close({ code: 1000, reason: '' }) };
};
