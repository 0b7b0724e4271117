import { Megaphone } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { type Announcement, announcementText } from '../attempt/announcements.ts';
import { currentAttempt, useAttempt } from '../current-attempt.ts';

/**
 * An administrator's messages and actions, until OK. Announced politely without taking the focus, placed away
 * from the options and above the dialog of the submit; after OK the focus returns to where it was.
 */
export function AnnouncementPanel() {
  const { announcements } = useAttempt();
  const before = useRef<HTMLElement | null>(null);
  const spoken = announcements.map(announcementText);
  const ok = () => {
    currentAttempt.acknowledge();
    before.current?.focus();
    before.current = null;
  };
  return (
    <>
      <p role="status" aria-live="polite" className="sr-only">
        {spoken.map(({ title, text }) => `${title}: ${text}`).join(' ')}
      </p>
      {announcements.length > 0 && (
        <section
          aria-label="From the administrator"
          data-announcements=""
          onFocus={({ relatedTarget, currentTarget }) => {
            if (relatedTarget instanceof HTMLElement && !currentTarget.contains(relatedTarget)) {
              before.current = relatedTarget;
            }
          }}
          className="fixed inset-x-3 bottom-[calc(5rem+env(safe-area-inset-bottom))] pointer-events-auto z-45 grid max-h-[45dvh] animate-enter grid-cols-[auto_minmax(0,1fr)] gap-x-3 overflow-y-auto rounded-lg border border-accent-line bg-raised p-4 pb-0 shadow-md md:left-auto md:w-88 short:bottom-[calc(3.25rem+env(safe-area-inset-bottom))] short:max-h-[70dvh] short:md:w-120 lg:right-6 lg:bottom-6"
        >
          <Megaphone className="mt-0.5 size-5 flex-none text-accent-ink" />
          <div className="grid gap-3">
            {announcements.map((one) => (
              <AnnouncementText key={one.id} announcement={one} />
            ))}
          </div>
          {/* OK stays visible for any length of message. */}
          <div className="sticky bottom-0 col-span-2 flex justify-end bg-raised py-3">
            <Button size="candidate" onClick={ok}>
              OK
            </Button>
          </div>
        </section>
      )}
    </>
  );
}

/** Counts down the seconds until an end; the announced text does not change. */
function AnnouncementText({ announcement }: { announcement: Announcement }) {
  const [passedMs, setPassedMs] = useState(0);
  const isCounting = announcement.kind === 'ending';
  useEffect(() => {
    if (!isCounting) return;
    const since = performance.now();
    const timer = setInterval(() => setPassedMs(performance.now() - since), 250);
    return () => clearInterval(timer);
  }, [isCounting]);
  const { title, text } = announcementText(
    isCounting ? { ...announcement, ms: announcement.ms - passedMs } : announcement,
  );
  return (
    <div>
      <h2>{title}</h2>
      <p dir="auto" className="text-md break-words whitespace-pre-line text-ink-2">
        {text}
      </p>
    </div>
  );
}

/** Space at the end of the page, so that content behind the panel can be scrolled up. */
export function AnnouncementSpace() {
  const { announcements } = useAttempt();
  return announcements.length > 0 && <div aria-hidden="true" className="h-[45dvh] lg:hidden" />;
}
