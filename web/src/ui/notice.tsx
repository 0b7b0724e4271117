import type { ReactNode } from 'react';

const TONES = {
  neutral: 'bg-sunken text-ink-2',
  accent: 'bg-accent-soft text-accent-ink',
  ok: 'bg-ok-soft text-ok-ink',
  warn: 'bg-warn-soft text-warn-ink inset-ring inset-ring-warn-line',
  bad: 'bg-bad-soft text-bad-ink inset-ring inset-ring-bad-line',
} as const;

/** Visible with forced colors, which remove backgrounds. */
const EDGE = 'outline -outline-offset-1 outline-transparent';

export function Notice({
  tone = 'neutral',
  icon,
  title,
  action,
  role,
  children,
}: {
  tone?: keyof typeof TONES;
  icon?: ReactNode;
  title?: ReactNode;
  action?: ReactNode;
  /** Only for notices that appear later: those present on load need no announcement. */
  role?: 'status' | 'alert';
  children?: ReactNode;
}) {
  return (
    <div
      role={role}
      className={`flex flex-wrap items-start gap-x-3 gap-y-2 rounded-lg px-4 py-3.5 ${EDGE} ${TONES[tone]}`}
    >
      {icon !== undefined && (
        <span aria-hidden="true" className="mt-px flex-none [&_svg]:size-5">
          {icon}
        </span>
      )}
      <div
        className={`min-w-0 flex-1 basis-48 wrap-anywhere ${icon === undefined && action !== undefined ? 'self-center' : ''}`}
      >
        {title !== undefined && <p className="font-semibold">{title}</p>}
        {children !== undefined && <div>{children}</div>}
      </div>
      {action}
    </div>
  );
}
