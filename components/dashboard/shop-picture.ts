import type { ShopLook } from '@/components/dashboard/shop-phone';
import { logoPath } from '@/components/pay/brand';
import { type Brand, shopMark } from '@/lib/identity/merchants/brand-rules';

/** Returns the logo of a merchant, and the mark that replaces it. */
export function pictureOf(merchantId: string, name: string, brand: Brand | undefined): Pick<ShopLook, 'logo' | 'mark'> {
  const { brandColour = null, logoHash = null, logoWidth = null, logoHeight = null } = brand ?? {};
  const { initial, fill, onFill } = shopMark(name, brandColour);
  return {
    logo:
      logoHash === null || logoWidth === null || logoHeight === null
        ? null
        : { src: logoPath({ merchantId, logoHash }), width: logoWidth, height: logoHeight },
    mark: { initial, fill, onFill },
  };
}
