/**
 * The longest that some work keeps this thread from everything else, in milliseconds of its processor time: a
 * busy machine lengthens nothing.
 */
export async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  const used = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  let longest = 0;
  let last = used();
  let isOver = false;
  const turn = () => {
    const now = used();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isOver = true;
  // The last piece: no turn comes between it and the end.
  return Math.max(longest, used() - last);
}
