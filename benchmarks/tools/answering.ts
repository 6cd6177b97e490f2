/** The other side of `startChild`: answers each question of the parent, and ends with it. */
export const answering = (answer: (question: never) => Promise<unknown>): void => {
  process.on('message', (question) => {
    answer(question as never).then(
      (value) => process.send?.(value ?? null),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
  process.on('disconnect', () => process.exit(0));
};
