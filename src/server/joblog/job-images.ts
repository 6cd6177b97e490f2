import type { JobState } from '../../core/state/job-state.js';
import { pathPart } from '../../core/protocol/path-part.js';
import type { SocketImage } from '../../core/state/socket-image.js';

/** A picture of a `SaveImageWebsocket` node, which the service does not keep. */
export interface JobImage {
  /** Such as `image/png`. */
  readonly mediaType: string;
  /** The picture. */
  readonly bytes: Uint8Array;
}

/** The place of a picture among those of its job. */
export type ImagePlace = Pick<SocketImage, 'nodeId' | 'index'>;

/** Keeps the pictures that jobs sent over the socket, each for as long as its job is known. */
export interface JobImages {
  /** Resolves once the picture is durable, with false if the job is not known. One of the same place is replaced. */
  readonly put: (jobId: string, place: ImagePlace, image: JobImage) => Promise<boolean>;
  /** The picture, or undefined. */
  readonly get: (jobId: string, place: ImagePlace) => Promise<JobImage | undefined>;
}

/** The name of a picture by its place among all of its job; its own bytes said what it is, so the subtype is a plain word. */
export const imageName = (at: number, mediaType: string): string =>
  `SaveImageWebsocket_${at + 1}.${mediaType === 'image/jpeg' ? 'jpg' : mediaType.slice(mediaType.indexOf('/') + 1)}`;

/** The id of a picture among the outputs of its job. */
export const imageId = ({ nodeId, index }: ImagePlace): string => `websocket.${index}.${nodeId}`;

/** The place that an id names; undefined for another output. */
export const imagePlaceOf = (id: string): ImagePlace | undefined => {
  const [, index, nodeId] = /^websocket\.(\d{1,9})\.(.+)$/su.exec(id) ?? [];
  return index === undefined || nodeId === undefined ? undefined : { nodeId, index: Number(index) };
};

/** Where a gateway serves a picture of one of its jobs, below its base. */
export const imagePath = (jobId: string, place: ImagePlace): string =>
  `/jobs/${pathPart(jobId)}/outputs/${pathPart(imageId(place))}`;

/**
 * Keeps the pictures of a state, and gives the state with addresses in place of their bytes: a log holds no bytes. One that can't be kept
 * has no address, and the outputs of its job are not complete.
 */
export const keepImages = async (
  images: JobImages | undefined,
  jobId: string,
  state: JobState,
  known: JobState | undefined,
): Promise<JobState> => {
  if (state.socketImages === undefined) return state;
  const keep = async ({ bytes, url, ...image }: SocketImage): Promise<SocketImage> => {
    const isKnown = url !== undefined || known?.socketImages?.some((other) => isKept(other, image)) === true;
    const isThere =
      isKnown ||
      (bytes !== undefined &&
        (await images?.put(jobId, image, { ...image, bytes }).catch(() => false)) === true);
    return isThere ? { ...image, url: imagePath(jobId, image) } : image;
  };
  const socketImages = await Promise.all(state.socketImages.map(keep));
  const isWhole = socketImages.every(({ url }) => url !== undefined);
  return { ...state, socketImages, outputsComplete: state.outputsComplete && isWhole };
};

const isKept = (known: SocketImage, { nodeId, index }: ImagePlace): boolean =>
  known.nodeId === nodeId && known.index === index && known.url !== undefined;
