import { type Guest, type GuestAnswer, guestPage } from '@/app/(auth)/guest-page';
import { Contact } from '@/components/pay/contact';
import { failureResponse, type RouteHandler } from '@/lib/entry/http/errors';
import { requestId } from '@/lib/entry/http/request-facts';
import { translator } from '@/lib/platform/i18n/translator';

/** The page for an address that no page or route has. */
async function show({ runtime, locale }: Guest): Promise<GuestAnswer> {
  const t = translator(locale, 'Dashboard');
  const help = translator(locale, 'NotFound');
  const contact = runtime.settings.OPERATOR_CONTACT;
  const content = (
    <>
      <p>{t('notFoundText')}</p>
      <ul>
        <li>{help('check')}</li>
        <li>{help('ask')}</li>
      </ul>
      {contact !== undefined && (
        <p>
          {help('contact')} <Contact contact={contact} />
        </p>
      )}
      <a href="/" className="button fill">
        {t('toStart')}
      </a>
      <a href="/sign-in" className="button">
        {translator(locale, 'Home')('signIn')}
      </a>
    </>
  );
  return { title: t('notFoundTitle'), content, status: 404, art: 'notFound' };
}

const page = guestPage(show);

/** Answers for an address that no page or route has: with a page, or to anything but a visit in JSON. */
export const unknownAddress: RouteHandler = async (request) =>
  request.method === 'GET' || request.method === 'HEAD'
    ? page(request)
    : failureResponse({ code: 'not_found' }, requestId(request.headers));
