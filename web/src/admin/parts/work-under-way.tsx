import { useId } from 'react';

/** A sentence about work under way, with a bar: how far it is, where `done` and `total` are known. */
export function WorkUnderWay({
  children,
  done,
  total,
}: {
  children: string;
  done?: number | undefined;
  total?: number | null | undefined;
}) {
  const id = useId();
  const isKnown = done !== undefined && total !== undefined && total !== null && done < total;
  return (
    <div className="grid gap-2">
      <p id={id} role="status" className="text-ink-2">
        {children}
      </p>
      <progress
        aria-labelledby={id}
        {...(isKnown ? { value: done, max: total } : {})}
        className={`block h-2 w-full overflow-hidden rounded-sm accent-accent ${isKnown ? '[&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent' : ''}`}
      />
    </div>
  );
}
