import type { ReactNode } from 'react';
import { offeredLanguages } from '../../lib/language.ts';
import { Mark } from '../../ui/badges/mark.tsx';
import { LanguageMenu } from '../../ui/language-menu.tsx';

export function LoginFrame({
  title,
  subtitle,
  children,
}: {
  title: string;
  subtitle: string;
  children: ReactNode;
}) {
  const name = institution();
  return (
    <div className="grid min-h-dvh bg-surface md:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
      <title>{`${title} · Invigil`}</title>
      <header className="relative hidden place-items-end justify-items-center overflow-hidden border-e border-line bg-sunken md:grid">
        <div className="absolute top-7 inset-s-10">
          <Mark withName />
        </div>
        <div className="-mb-10 w-84 max-w-[80%] short:hidden rounded-t-lg border border-line bg-surface px-5 pt-5 shadow-md">
          <AnswerSheet />
        </div>
      </header>
      <main className="grid justify-items-center px-5 pt-6 pb-10 md:place-items-center md:px-6 md:py-10">
        <div className="grid w-full max-w-96 content-start gap-5">
          <div className="flex h-12 items-center justify-between md:hidden">
            <Mark withName />
            <LanguageMenu languages={offeredLanguages()} />
          </div>
          <div>
            {name && <p className="break-words font-medium text-ink-2">{name}</p>}
            <h1 className="text-[1.75rem] leading-9">{title}</h1>
            <p className="mt-0.5 text-md text-ink-2">{subtitle}</p>
          </div>
          {children}
          <div className="hidden md:block">
            <LanguageMenu languages={offeredLanguages()} />
          </div>
        </div>
      </main>
    </div>
  );
}

/** Written into the page by the server, if an administrator has set it. */
const institution = () =>
  document.querySelector<HTMLMetaElement>('meta[name=institution]')?.content;

export const LOGIN_LINK =
  'inline-flex min-h-11 items-center justify-self-start font-medium text-accent-ink underline underline-offset-4';

/** The filled bubble per line of the sheet; `current` is the line being answered. */
const LINES = [1, 3, 0, 2, 2, 1, 'current', null, null, null, null, null, null, null] as const;
const COLUMNS = [96, 156, 216, 276];

/** A decorative answer sheet beside the sign-in form. */
function AnswerSheet() {
  return (
    <svg viewBox="0 0 320 748" aria-hidden="true" className="h-auto w-full">
      {LINES.map((line, index) => {
        const y = 36 + index * 52;
        return (
          <g key={y} className={line === null ? 'opacity-75' : ''}>
            <text
              x={50}
              y={y + 5}
              textAnchor="end"
              className="fill-ink-3 text-[14px] font-medium tabular-nums"
            >
              {index + 1}
            </text>
            {COLUMNS.map((x, column) => (
              <circle
                key={x}
                cx={x}
                cy={y}
                r="14.25"
                strokeWidth="1.5"
                className={
                  line === column
                    ? 'fill-accent'
                    : line === 'current'
                      ? 'fill-none stroke-accent'
                      : 'fill-none stroke-line-2'
                }
              />
            ))}
          </g>
        );
      })}
    </svg>
  );
}
