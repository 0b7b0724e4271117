import { Notice } from '../../ui/notice.tsx';
import { Spinner } from '../../ui/spinner.tsx';

/** The end is on its way and the server has not answered: what is known, and what to do. */
export function StillSending({ tries, durable }: { tries: number; durable: boolean }) {
  return (
    <div className="mt-6">
      <Notice tone="accent" role="status" icon={<Spinner />} title="Still sending your answers.">
        Keep this window open.
        {tries > 0 && ' The connection is interrupted; sending is tried again by itself.'}
        {tries > 0 &&
          (durable
            ? ' What you answered is kept on this device. Whether it arrived in time is said here.'
            : ' This browser cannot keep them, so do not close or reload this page.')}
      </Notice>
    </div>
  );
}
