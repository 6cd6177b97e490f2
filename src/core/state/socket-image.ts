/** A picture that a `SaveImageWebsocket` node sent over the socket: a result of which the service keeps neither file nor record. */
export interface SocketImage {
  /** The node of the submitted workflow that sent it. */
  readonly nodeId: string;
  /** Its place among the pictures of the node, from 0. */
  readonly index: number;
  /** By the picture's own first bytes, such as `image/png`. */
  readonly mediaType: string;
  /** The picture; absent if `keptFrames` has no room for it, and in states of a gateway or a queue. */
  readonly bytes?: Uint8Array;
  /** In states of a gateway: where the picture is, for as long as the gateway knows the job. */
  readonly url?: string;
}
