import { isInterfaceRow } from '../is-interface-row.js';
import type { ServiceMessage } from '../messages.js';
import type { Settings } from '../settings.js';
import { encodeEvent, encodePlainPreview, encodePreview, encodeText, type Stringify } from '../wire.js';
import type { ClientFlags } from './client-flags.js';

/** What goes to a socket whose client announced these flags. */
export type Encoded = (flags: ClientFlags) => readonly (string | Uint8Array)[];

/**
 * Encodes a message once for all sockets, and not before one of them wants it; a row of the interface that is switched
 * off stays silent.
 */
export const encodeMessage = (
  message: ServiceMessage,
  { has, switches }: Pick<Settings, 'has' | 'switches'>,
  stringify: Stringify = JSON.stringify,
): Encoded => {
  if (message.kind === 'raw') return () => [message.wire];
  if (message.kind === 'event') {
    const row = `event:${message.type}`;
    if (isInterfaceRow(row) && !has(row)) return silence;
    const wire = [encodeEvent(message.type, message.data, stringify)];
    return () => wire;
  }
  if (message.kind === 'preview') {
    const { layout, metadata, picture } = message;
    if (!has(`binary:${layout}`)) return silence;
    const wire = once(() => [
      layout === 4 ? encodePreview(metadata, picture(), stringify) : encodePlainPreview(picture()),
    ]);
    return (flags) => (flags.previewMetadata === (layout === 4) ? wire() : []);
  }
  if (!has('binary:3')) return silence;
  const { nodeId, text, promptId } = message;
  const older = once(() => [encodeText(nodeId, text)]);
  const newer = once(() => [encodeText(nodeId, text, promptId)]);
  return (flags) => (switches.promptText && flags.promptText ? newer() : older());
};

const silence: Encoded = () => [];

const once = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | undefined;
  return () => (made ??= { value: make() }).value;
};
