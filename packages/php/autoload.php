<?php

// For programs without Composer. It does not load the interfaces of PSR-7, PSR-17 and PSR-18.

declare(strict_types=1);

spl_autoload_register(static function (string $class): void {
    if (!str_starts_with($class, 'TenderPay\\')) {
        return;
    }
    $path = str_replace(['TenderPay\\Generated\\', 'TenderPay\\', '\\'], ['generated/', '', '/'], $class);
    $file = __DIR__ . "/src/$path.php";
    if (is_file($file)) {
        require $file;
    }
});
