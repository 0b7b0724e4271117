/** An open ring; static with reduced motion. */
export function Spinner() {
  return (
    <span
      aria-hidden="true"
      className="inline-block size-4 flex-none animate-spin rounded-full border-2 border-current border-e-transparent opacity-90 motion-reduce:animate-none"
    />
  );
}
