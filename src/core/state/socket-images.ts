import type { JobState } from './job-state.js';
import type { SocketImage } from './socket-image.js';
import type { Preview } from '../protocol/frames/frame.js';
import type { Workflow } from '../protocol/workflow.js';

/** Those of these nodes that send their results over the socket. */
export const socketSaversIn = (workflow: Workflow, nodeIds: readonly string[]): readonly string[] =>
  nodeIds.filter((nodeId) => workflow[nodeId]?.class_type === 'SaveImageWebsocket');

/**
 * The node and the place of a picture that is a result; undefined for a preview. A picture whose message names no node is of the only
 * node that runs. A node tells the place of each picture by its steps; without them the pictures are counted.
 */
export const socketImagePlace = (
  { socketSavers, socketImages = [], nodes }: JobState,
  { nodeId, displayNodeId }: Preview,
): Pick<SocketImage, 'nodeId' | 'index'> | undefined => {
  if (socketSavers === undefined) return undefined;
  const running = Object.values(nodes).filter(({ phase }) => phase === 'running');
  const names = nodeId === undefined && running.length === 1 ? [running[0]?.nodeId] : [nodeId, displayNodeId];
  const saver = socketSavers.find((id) => names.includes(id));
  if (saver === undefined) return undefined;
  const next = socketImages.filter((image) => image.nodeId === saver).length;
  return { nodeId: saver, index: Math.max(next, stepOf(nodes, saver)) };
};

/** Takes in a picture; one that is a preview changes nothing. A picture without bytes had no room, and a warning says so. */
export const withSocketImage = (state: JobState, preview: Preview): JobState => {
  const place = socketImagePlace(state, preview);
  if (place === undefined) return state;
  const { mediaType, image } = preview;
  const isKept = image.length > 0;
  const warning = `Picture ${place.index} of node ${place.nodeId} has no room in keptFrames, and is not kept.`;
  return {
    ...state,
    socketImages: [...(state.socketImages ?? []), { ...place, mediaType, ...(isKept && { bytes: image }) }],
    ...(!isKept && { warnings: [...state.warnings, warning] }),
  };
};

/** How many pictures of a completed job did not come, by the steps of its nodes; a node that sends pictures sends at least one. */
export const missingSocketImages = ({ socketSavers = [], socketImages = [], nodes }: JobState): number =>
  socketSavers
    .map((nodeId) => {
      const got = socketImages.filter((image) => image.nodeId === nodeId).length;
      return Math.max(0, Math.max(1, nodes[nodeId]?.max ?? 0) - got);
    })
    .reduce((sum, missing) => sum + missing, 0);

/** The pictures of two states of one job, those of the first before the others; the second's own list where that has all. */
export const joinSocketImages = (
  known: JobState['socketImages'],
  next: JobState['socketImages'],
): JobState['socketImages'] => {
  if (known === undefined || known === next) return next;
  const isIn = (images: readonly SocketImage[], { nodeId, index }: SocketImage): boolean =>
    images.some((image) => image.nodeId === nodeId && image.index === index);
  const others = next ?? [];
  if (known.every((image) => isIn(others, image))) return next;
  return [...known, ...others.filter((image) => !isIn(known, image))];
};

/** How many bytes of pictures a state holds. */
export const socketImageBytes = ({ socketImages = [] }: JobState): number =>
  socketImages.reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), 0);

const stepOf = (nodes: JobState['nodes'], nodeId: string): number => {
  const node = nodes[nodeId];
  return node === undefined || node.max === 0 ? 0 : Math.min(node.value, node.max - 1);
};
