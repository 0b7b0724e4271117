import { remainingText, warningText } from '@invigil/core/texts/detected';
import { t } from '@invigil/core/texts/i18n';
import { excuseText, fullscreenWarning } from '@invigil/core/texts/notices';
import { AppWindow, AudioLines, Maximize, TriangleAlert } from 'lucide-react';
import { AlertDialog } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { thisDevice } from '../../proctoring/device/device-kind.ts';
import {
  canFullscreen,
  enterTestFullscreen,
  isFullscreen,
} from '../../proctoring/sensors/screen.ts';
import { ViolationPips } from '../../ui/badges/violation-pips.tsx';
import { Button } from '../../ui/button.tsx';
import { useReturnFocus } from '../../ui/dialogs/use-return-focus.ts';
import { FaceMissing } from '../attempt-icons.tsx';
import { currentAttempt } from '../current-attempt.ts';
import { currentMonitoring } from '../monitoring/current-monitoring.ts';
import { needsFullscreen } from '../monitoring/monitor-plan.ts';
import type { CountedNotice, Notices } from '../monitoring/notice-board.ts';
import { useShowsWarnings } from '../monitoring/seen-notices.ts';

const ICONS: Record<CountedNotice['type'], ReactNode> = {
  face_not_detected: <FaceMissing />,
  voice_detected: <AudioLines />,
  fullscreen_exit: <Maximize />,
  tab_hidden: <AppWindow />,
};

/** Nothing counts before this is on the page, or while it is not. */
export default function ViolationNotices({
  popup,
  counted,
  fullscreen,
}: Pick<Notices, 'popup' | 'counted' | 'fullscreen'>) {
  useShowsWarnings();
  return (
    <>
      <p role="alert" className="sr-only">
        {popup !== null &&
          counted === null &&
          t('violation.spoken', 'Warning: {text}', { text: warningText(popup.type) })}
      </p>
      {popup !== null && counted === null && <WarningPopup type={popup.type} />}
      {counted !== null && (
        <CountedDialog key={counted.id} notice={counted} fullscreen={fullscreen} />
      )}
    </>
  );
}

/** A warning that takes neither focus nor clicks, and closes automatically. */
function WarningPopup({ type }: { type: CountedNotice['type'] }) {
  return (
    <div
      aria-hidden="true"
      className="flex animate-enter items-start gap-3 rounded-lg border border-warn-line bg-warn-soft p-4 text-warn-ink shadow-md"
    >
      <TriangleAlert className="mt-0.5 size-5 flex-none" />
      <span className="grid">
        <b className="text-sm font-semibold">{t('violation.warning', 'WARNING')}</b>
        <span className="text-md font-medium text-ink">{warningText(type)}</span>
      </span>
    </div>
  );
}

/** Escape acts like the button. */
function CountedDialog({
  notice,
  fullscreen,
}: {
  notice: CountedNotice;
  fullscreen: Notices['fullscreen'];
}) {
  const focus = useReturnFocus();
  const content = useRef<HTMLDivElement>(null);
  const { type, count, limit, remaining } = notice;
  const over = remaining === 0;
  const goOn = t(/* a button: the warning was read */ 'violation.continue', 'Continue');
  return (
    <AlertDialog.Root open onOpenChange={(open) => open || over || currentMonitoring.acknowledge()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-x-0 top-(--bar) bottom-0 z-50 grid place-items-center overflow-y-auto bg-scrim p-4 short:p-2">
          <AlertDialog.Content
            ref={content}
            onOpenAutoFocus={() => {
              focus.remember();
              // The last dialog has no button; focus it so that it is announced.
              if (over) content.current?.focus();
            }}
            onCloseAutoFocus={focus.giveBack}
            onEscapeKeyDown={(event) => over && event.preventDefault()}
            className="grid w-full max-w-110 animate-enter rounded-xl bg-raised p-7 shadow-lg outline-none short:p-4"
          >
            <span
              data-shape=""
              className={`grid size-11 place-items-center rounded-full border-[1.5px] [&_svg]:size-5.5 ${over ? 'border-bad bg-bad-soft text-bad-ink' : 'border-warn-edge bg-warn-soft text-warn-ink'}`}
            >
              {ICONS[type]}
            </span>
            <p className={`mt-4 text-sm font-semibold ${over ? 'text-bad-ink' : 'text-warn-ink'}`}>
              {t('violation.warning', 'WARNING')}
            </p>
            <AlertDialog.Title className="text-[1.25rem]! leading-7!">
              {type === 'fullscreen_exit' && limit !== null
                ? fullscreenWarning({ n: count, limit })
                : warningText(type)}
            </AlertDialog.Title>
            <AlertDialog.Description asChild>
              <div className="mt-1 grid gap-4">
                <p className="text-md text-ink-2">
                  {t('violation.recorded', 'This violation has been recorded.')}
                </p>
                <p className="flex items-center justify-between gap-4 rounded-lg bg-sunken px-4 py-3">
                  <span>{remainingText(notice)}</span>
                  <ViolationPips count={count} max={limit} />
                </p>
                <p role="status" className="empty:-mt-4">
                  {!over &&
                    fullscreen !== null &&
                    'returnMs' in fullscreen &&
                    excuseText(fullscreen.returnMs, goOn)}
                </p>
              </div>
            </AlertDialog.Description>
            {!over && (
              <AlertDialog.Cancel asChild>
                <Button
                  variant="primary"
                  size="large"
                  full
                  className="mt-5"
                  onClick={backToFullscreen}
                >
                  {goOn}
                </Button>
              </AlertDialog.Cancel>
            )}
          </AlertDialog.Content>
        </AlertDialog.Overlay>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

/** The fullscreen panel is under the dialog: one press answers both. */
function backToFullscreen(): void {
  const { participant } = currentAttempt.getSnapshot();
  if (participant === null || isFullscreen()) return;
  const rule = needsFullscreen(participant.policy, thisDevice(), canFullscreen());
  if (rule) void enterTestFullscreen();
}
