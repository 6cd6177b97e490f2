/** Calls `release` once the body of an answer has ended, failed or been cancelled, or its request is aborted. */
export const releaseAfter = (response: Response, signal: AbortSignal, release: () => void): Response => {
  if (response.body === null) {
    release();
    return response;
  }
  const reader = response.body.getReader();
  signal.addEventListener('abort', release, { once: true });
  const done = (): void => {
    signal.removeEventListener('abort', release);
    release();
  };
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done: isOver, value } = await reader.read();
          if (!isOver) {
            controller.enqueue(value);
            return;
          }
          controller.close();
        } catch (error) {
          controller.error(error);
        }
        done();
      },
      cancel: async (reason) => {
        done();
        await reader.cancel(reason);
      },
    },
    // Nothing is read ahead of the reader.
    { highWaterMark: 0 },
  );
  return new Response(body, { status: response.status, headers: response.headers });
};
