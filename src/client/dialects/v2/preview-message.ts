/** The code of a picture that names its job and node (docs/protocol.md, chapter 7). */
const pictureWithMetadata = 4;

/**
 * Makes the binary message of a preview; undefined if the event holds no picture that can be read.
 *
 * Bytes that are no Base64 are passed over, as the vendor's client does.
 */
export const previewMessage = (
  promptId: string,
  { node_id, content_type, data_base64 }: Readonly<Record<string, unknown>>,
): ArrayBuffer | undefined => {
  const picture = typeof data_base64 === 'string' ? decodeBase64(data_base64) : undefined;
  if (picture === undefined || picture === '') return undefined;
  const nodeId = typeof node_id === 'number' ? `${node_id}` : node_id;
  const metadata = new TextEncoder().encode(
    JSON.stringify({
      prompt_id: promptId,
      node_id: nodeId,
      display_node_id: nodeId,
      image_type: content_type,
      v2: { event: 'preview', data: { node_id, content_type } },
    }),
  );
  const start = 8 + metadata.length;
  const bytes = new Uint8Array(start + picture.length);
  const header = new DataView(bytes.buffer);
  header.setUint32(0, pictureWithMetadata);
  header.setUint32(4, metadata.length);
  bytes.set(metadata, 8);
  for (let at = 0; at < picture.length; at += 1) bytes[start + at] = picture.charCodeAt(at);
  return bytes.buffer;
};

/** The bytes as characters; undefined if nothing sensible is left. */
const decodeBase64 = (text: string): string | undefined => {
  const digits = text
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/[^A-Za-z0-9+/]/gu, '');
  try {
    return atob(digits.length % 4 === 1 ? digits.slice(0, -1) : digits);
  } catch {
    return undefined;
  }
};
