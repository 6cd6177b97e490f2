/**
 * The floor: the least that a program must do to have the same values. No check, no bound, no unknown type; bytes that
 * are not as expected throw or give nonsense.
 */

const utf8 = new TextDecoder();

/** Type 1. */
export const floorPreview = (buffer: ArrayBuffer): unknown => {
  const view = new DataView(buffer);
  if (view.getUint32(0) !== 1) throw new Error('not type 1');
  const mediaType = view.getUint32(4) === 2 ? 'image/png' : 'image/jpeg';
  return { _tag: 'Preview', mediaType, image: new Uint8Array(buffer, 8) };
};

/** Type 3 in the old layout. */
export const floorText = (buffer: ArrayBuffer): unknown => {
  const view = new DataView(buffer);
  if (view.getUint32(0) !== 3) throw new Error('not type 3');
  const length = view.getUint32(4);
  const nodeId = utf8.decode(new Uint8Array(buffer, 8, length));
  return { _tag: 'Text', nodeId, text: utf8.decode(new Uint8Array(buffer, 8 + length)) };
};

interface Metadata {
  readonly image_type: string;
  readonly prompt_id: string;
  readonly node_id: string;
  readonly display_node_id: string;
}

/** Type 4. */
export const floorPreviewWithMetadata = (buffer: ArrayBuffer): unknown => {
  const view = new DataView(buffer);
  if (view.getUint32(0) !== 4) throw new Error('not type 4');
  const length = view.getUint32(4);
  const metadata = JSON.parse(utf8.decode(new Uint8Array(buffer, 8, length))) as Metadata;
  return {
    _tag: 'Preview',
    mediaType: metadata.image_type,
    image: new Uint8Array(buffer, 8 + length),
    metadata,
    promptId: metadata.prompt_id,
    nodeId: metadata.node_id,
    displayNodeId: metadata.display_node_id,
  };
};

/** Any text message. */
export const floorMessage = (text: string): unknown => JSON.parse(text);
