import { AppWindow } from 'lucide-react';

/** Warnings next to the start button; one line each on low screens. */
export function StartWarnings({
  tabEnds,
  fullscreen,
  cut,
}: {
  /** Leaving this tab ends the attempt at once. */
  tabEnds: boolean;
  fullscreen: boolean;
  /** Why less than the full time is left, and how much. */
  cut: string | null;
}) {
  return (
    <div className="mb-2 grid gap-2 text-sm text-warn-ink empty:hidden short:mb-0 short:flex-1 short:gap-0">
      {tabEnds && (
        <p className="flex items-start gap-2 [&_svg]:mt-0.5 [&_svg]:size-4 [&_svg]:flex-none">
          <AppWindow />
          <span>
            <b className="font-semibold">Leaving this tab ends the assessment.</b>
            <span className="short:hidden">
              {' '}
              Close messages and other programs now.
              {fullscreen && (
                <span className="max-md:hidden"> Stay in fullscreen until you submit.</span>
              )}
            </span>
          </span>
        </p>
      )}
      {cut !== null && (
        <p role="status" className="font-medium">
          {cut}
        </p>
      )}
    </div>
  );
}
