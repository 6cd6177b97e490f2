/** Counts the event streams that answers carry. */
export interface CountedStreams {
  /** Gives the answer back; one with a stream counts until its end, or until the reader leaves. */
  readonly count: (response: Response) => Response;
  readonly open: () => number;
  /** Sends bytes to every open stream, however slowly it is read. */
  readonly inject: (text: string) => void;
}

/** Makes {@link CountedStreams}; it reads nothing ahead. */
export const countedStreams = (): CountedStreams => {
  const open = new Set<ReadableStreamDefaultController<Uint8Array>>();
  return {
    open: () => open.size,
    inject: (text) => {
      for (const controller of open) controller.enqueue(new TextEncoder().encode(text));
    },
    count: (response) => {
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
      if (!isStream || response.body === null) return response;
      const reader = response.body.getReader();
      let own: ReadableStreamDefaultController<Uint8Array>;
      const body = new ReadableStream<Uint8Array>(
        {
          start: (controller) => {
            own = controller;
            open.add(controller);
          },
          pull: async (controller) => {
            const { done, value } = await reader.read();
            if (!done) controller.enqueue(value);
            else {
              open.delete(controller);
              controller.close();
            }
          },
          cancel: (reason) => {
            open.delete(own);
            return reader.cancel(reason);
          },
        },
        { highWaterMark: 0 },
      );
      return new Response(body as ReadableStream<Uint8Array<ArrayBuffer>>, response);
    },
  };
};
