import { type Channel, channel, subscribe, unsubscribe } from 'node:diagnostics_channel';
import { logMessage } from './log-message.js';
import type { Logger } from '../../../core/log/logger.js';
import type { QueueMessages } from './messages.js';

const channels = new Map<string, Channel>();

/** The channel of this name in `node:diagnostics_channel`. */
const channelOf = (name: keyof QueueMessages): Channel => {
  const known = channels.get(name) ?? channel(name);
  channels.set(name, known);
  return known;
};

/** Publishes and logs a message, which is made only where a program has subscribed to the channel or gave a logger. */
export const publish = <Name extends keyof QueueMessages>(
  name: Name,
  message: () => QueueMessages[Name],
  logger?: Logger,
): void => {
  const own = channelOf(name);
  if (!own.hasSubscribers && logger === undefined) return;
  const made = message();
  own.publish(made);
  if (logger !== undefined) logMessage(logger, name, made);
};

/** Listens to a channel until the returned function is called. */
export const listenTo = <Name extends keyof QueueMessages>(
  name: Name,
  listener: (message: QueueMessages[Name]) => void,
): (() => void) => {
  const take = (message: unknown): void => listener(message as QueueMessages[Name]);
  subscribe(name, take);
  return () => {
    unsubscribe(name, take);
  };
};
