/**
 * Settles as the work does, or rejects when that takes too long; the work itself goes on.
 * @param milliseconds for which it is waited for
 * @param late makes the error for the caller who is not kept waiting any longer
 */
export async function within<Result>(
  milliseconds: number,
  work: Promise<Result>,
  late: () => Error,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late()), milliseconds);
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    clearTimeout(timer);
  }
}
