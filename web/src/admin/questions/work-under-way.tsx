import { useId } from 'react';

export function WorkUnderWay({ children }: { children: string }) {
  const id = useId();
  return (
    <div className="grid gap-2">
      <p id={id} role="status" className="text-ink-2">
        {children}
      </p>
      <progress
        aria-labelledby={id}
        className="block h-2 w-full overflow-hidden rounded-sm accent-accent"
      />
    </div>
  );
}
